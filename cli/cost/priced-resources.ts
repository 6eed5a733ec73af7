import * as z from 'zod';
import { CliError } from '#cli/command/command-error.ts';
import { plainIssues } from '#shared/plain-message.ts';

/** What the synthesized stacks deploy, as far as it has a price. */
export type PricedResources = {
  /** Metrics that alarms watch: an alarm on an expression watches several. */
  readonly alarmMetrics: number;
  readonly compositeAlarms: number;
  readonly dashboards: number;
  readonly keys: number;
  readonly secrets: number;
  readonly hasRecovery: boolean;
  /** Whether the events are in a table of the infrequent-access class. */
  readonly areEventsRare: boolean;
  readonly functions: readonly Lambda[];
  /** Queues that functions poll, and how many of these are FIFO queues. */
  readonly polledQueues: number;
  readonly fifoQueues: number;
  /** For how long Lambda gathers the messages of a batch. */
  readonly batchingSeconds: number;
  readonly schedules: readonly Schedule[];
  /** Bytes of a line of the access log, with what CloudWatch adds. */
  readonly accessLogBytes: number;
  /** Whether the access log is of the infrequent-access class. */
  readonly isAccessLogRare: boolean;
  readonly hasRouteMetrics: boolean;
  readonly logRetentionDays: number;
  /** 0 without an archive. */
  readonly archiveRetentionDays: number;
  /** Types of resources without a price in this calculation, and how many the stacks have. */
  readonly notPriced: Readonly<Record<string, number>>;
};

export type Lambda = {
  readonly name: string;
  readonly gigabytes: number;
  readonly isTraced: boolean;
  readonly logsEachRun: boolean;
};

export type Schedule = { readonly name: string; readonly runsPerMonth: number };

/** 730 hours, as AWS counts a month. */
export const secondsPerMonth = 730 * 3_600;

/** CloudWatch adds this to each log line. */
const bytesPerLogLine = 26;

/** What a value of the access log is long on average, from the status to the key of the route. */
const bytesPerAccessLogValue = 16;

const template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).default({}),
      Metadata: z.looseObject({ 'aws:cdk:path': z.string().optional() }).default({}),
    }),
  ),
});

const alarm = z.object({ Metrics: z.array(z.looseObject({ MetricStat: z.unknown().optional() })).optional() });
const table = z.object({
  TableClass: z.string().optional(),
  PointInTimeRecoverySpecification: z.object({ PointInTimeRecoveryEnabled: z.boolean() }).optional(),
});
const archive = z.object({ RetentionDays: z.number() });
const mapping = z.object({ MaximumBatchingWindowInSeconds: z.number().default(0) });
const lambda = z.object({
  MemorySize: z.number().default(128),
  TracingConfig: z.object({ Mode: z.string() }).optional(),
  LoggingConfig: z.object({ SystemLogLevel: z.string().optional() }).optional(),
});
const logGroup = z.object({ RetentionInDays: z.number(), LogGroupClass: z.string().optional() });
const queue = z.object({ FifoQueue: z.boolean().default(false), RedrivePolicy: z.unknown().optional() });
const schedule = z.object({ ScheduleExpression: z.string() });
const stage = z.object({
  AccessLogSettings: z.object({ Format: z.string() }).optional(),
  DefaultRouteSettings: z.object({ DetailedMetricsEnabled: z.boolean().optional() }).optional(),
});

/** Types whose price this calculation computes. */
const priced =
  /^AWS::(?:ApiGatewayV2::Stage|CloudWatch::(?:Alarm|CompositeAlarm|Dashboard)|DynamoDB::Table|Events::Archive|KMS::Key|Lambda::(?:EventSourceMapping|Function)|Logs::LogGroup|SQS::Queue|Scheduler::Schedule|SecretsManager::Secret)$/;

/** Types that AWS takes nothing for, or nothing but for requests. */
const free =
  /^AWS::(?:ApiGatewayV2::(?:Api|ApiMapping|DomainName|Integration|Route)|CodeDeploy::(?:Application|DeploymentGroup)|EC2::SecurityGroup(?:Egress)?|Events::(?:EventBus|EventBusPolicy|Rule)|IAM::(?:ManagedPolicy|Policy|Role)|KMS::Alias|Lambda::(?:Alias|EventInvokeConfig|Permission|Version)|Logs::(?:QueryDefinition|ResourcePolicy)|SNS::(?:Subscription|Topic|TopicPolicy)|SQS::QueuePolicy|SecretsManager::ResourcePolicy)$/;

/**
 * Reads what has a price from the templates of the stacks.
 *
 * @throws {CliError} NOT_PRICED when a schedule has no fixed rate, or a property is missing
 */
export function readPricedResources(templates: readonly unknown[]): PricedResources {
  const resources = templates.flatMap((text) =>
    Object.entries(template.parse(text).Resources).map(([id, { Type, Properties, Metadata }]) => ({
      name: nameOf(Metadata['aws:cdk:path'] ?? id),
      type: Type,
      properties: Properties,
    })),
  );
  const countOf = (type: string) => resources.filter((resource) => resource.type === type).length;
  const ofType = <Shape extends z.ZodRawShape>(type: string, schema: z.ZodObject<Shape>) =>
    resources
      .filter((resource) => resource.type === type)
      .map(({ name, properties }) => ({ name, read: readProperties(schema, name, properties) }));
  const stages = ofType('AWS::ApiGatewayV2::Stage', stage);
  const tables = ofType('AWS::DynamoDB::Table', table);
  const logGroups = ofType('AWS::Logs::LogGroup', logGroup);
  const mappings = ofType('AWS::Lambda::EventSourceMapping', mapping);
  const most = (numbers: readonly number[]) => Math.max(0, ...numbers);
  return {
    alarmMetrics: ofType('AWS::CloudWatch::Alarm', alarm).reduce((sum, { read }) => sum + metricsOf(read.Metrics), 0),
    compositeAlarms: countOf('AWS::CloudWatch::CompositeAlarm'),
    dashboards: countOf('AWS::CloudWatch::Dashboard'),
    keys: countOf('AWS::KMS::Key'),
    secrets: countOf('AWS::SecretsManager::Secret'),
    hasRecovery: tables.some(({ read }) => read.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled === true),
    areEventsRare: tables.some(
      ({ name, read }) => name === 'events' && read.TableClass === 'STANDARD_INFREQUENT_ACCESS',
    ),
    functions: ofType('AWS::Lambda::Function', lambda).map(
      ({ name, read: { MemorySize, TracingConfig, LoggingConfig } }) => ({
        name,
        gigabytes: MemorySize / 1_024,
        isTraced: TracingConfig?.Mode === 'Active',
        logsEachRun: LoggingConfig?.SystemLogLevel !== 'WARN',
      }),
    ),
    polledQueues: mappings.length,
    // A dead-letter queue has no redrive policy.
    fifoQueues: ofType('AWS::SQS::Queue', queue).filter(
      ({ read }) => read.FifoQueue && read.RedrivePolicy !== undefined,
    ).length,
    batchingSeconds: most(mappings.map(({ read }) => read.MaximumBatchingWindowInSeconds)),
    schedules: ofType('AWS::Scheduler::Schedule', schedule).map(({ name, read }) => ({
      name,
      runsPerMonth: secondsPerMonth / secondsOf(read.ScheduleExpression, name),
    })),
    // A webhook comes by one stage.
    accessLogBytes: most(stages.map(({ read }) => accessLogBytes(read.AccessLogSettings?.Format))),
    isAccessLogRare: logGroups.some(({ read }) => read.LogGroupClass === 'INFREQUENT_ACCESS'),
    hasRouteMetrics: stages.some(({ read }) => read.DefaultRouteSettings?.DetailedMetricsEnabled === true),
    logRetentionDays: most(logGroups.map(({ read }) => read.RetentionInDays)),
    archiveRetentionDays: most(ofType('AWS::Events::Archive', archive).map(({ read }) => read.RetentionDays)),
    notPriced: countBy(resources.map(({ type }) => type).filter((type) => !priced.test(type) && !free.test(type))),
  };
}

/** The last part of the path that names something, in kebab-case: `token-refresh`. */
function nameOf(path: string): string {
  const parts = path.split('/').filter((part) => !['Resource', 'Default', 'Function'].includes(part));
  return (parts.at(-1) ?? path).replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}

function readProperties<Schema extends z.ZodType>(schema: Schema, name: string, properties: unknown): z.output<Schema> {
  const result = schema.safeParse(properties);
  if (result.success) return result.data;
  const issues = plainIssues(result.error.issues, properties).join('\n  ');
  throw new CliError('NOT_PRICED', `The cost of ${name} cannot be computed:\n  ${issues}`);
}

function metricsOf(metrics: readonly { readonly MetricStat?: unknown }[] | undefined): number {
  return metrics === undefined ? 1 : metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;
}

function secondsOf(expression: string, name: string): number {
  const [, number, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (number === undefined) throw new CliError('NOT_PRICED', `The schedule ${name} has no fixed rate: ${expression}.`);
  const secondsPerUnit = { minute: 60, hour: 3_600, day: 86_400 };
  return Number(number) * (unit === 'hour' || unit === 'day' ? secondsPerUnit[unit] : secondsPerUnit.minute);
}

function accessLogBytes(format: string | undefined): number {
  if (format === undefined) return 0;
  const values = format.match(/\$context\.[\w.]+/g) ?? [];
  return format.length - values.join('').length + values.length * bytesPerAccessLogValue + bytesPerLogLine;
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names.toSorted()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}
