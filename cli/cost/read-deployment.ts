import * as z from 'zod';
import { plainIssues } from '#shared/plain-message.ts';

/** What the synthesized stacks deploy, as far as it has a price. */
export type Deployment = {
  /** Metrics that alarms watch: an alarm on an expression watches several. */
  readonly alarmMetrics: number;
  readonly compositeAlarms: number;
  readonly dashboards: number;
  readonly keys: number;
  readonly secrets: number;
  readonly tables: readonly Table[];
  readonly functions: readonly Lambda[];
  readonly queues: readonly { readonly isFifo: boolean }[];
  /** Queues that functions poll. */
  readonly polledQueues: number;
  readonly schedules: readonly Schedule[];
  /** Bytes of a line of the access log, with what CloudWatch adds. */
  readonly accessLogBytes: number;
  /** Whether each route of the API writes metrics of its own. */
  readonly hasRouteMetrics: boolean;
  readonly logRetentionDays: number;
  /** 0 without an archive. */
  readonly archiveRetentionDays: number;
  /** Types of resources without a price in this calculation, and how many the stacks have. */
  readonly notPriced: Readonly<Record<string, number>>;
};

export type Table = {
  readonly name: string;
  readonly isOnDemand: boolean;
  readonly hasRecovery: boolean;
  readonly indexes: number;
};
export type Lambda = {
  readonly name: string;
  readonly memoryGigabytes: number;
  readonly isTraced: boolean;
  readonly logsEachRun: boolean;
};
export type Schedule = { readonly name: string; readonly runsPerMonth: number };

/** The templates have what the calculation does not know. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
}

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

type Resource = {
  readonly name: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
};

/** Types whose price this calculation computes. */
const priced = new Set([
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::DynamoDB::Table',
  'AWS::Events::Archive',
  'AWS::Events::EventBus',
  'AWS::KMS::Key',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Logs::LogGroup',
  'AWS::SQS::Queue',
  'AWS::Scheduler::Schedule',
  'AWS::SecretsManager::Secret',
]);

/** Types that AWS takes nothing for. */
const free = new Set([
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::EC2::SecurityGroup',
  'AWS::EC2::SecurityGroupEgress',
  'AWS::Events::EventBusPolicy',
  'AWS::Events::Rule',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Alias',
  'AWS::Lambda::Permission',
  'AWS::Logs::QueryDefinition',
  'AWS::Logs::ResourcePolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::SecretsManager::ResourcePolicy',
]);

/** 730 hours, as AWS counts a month. */
export const secondsPerMonth = 730 * 3_600;

export const daysPerMonth = 730 / 24;

/** CloudWatch adds this to each log line. */
const bytesPerLogLine = 26;

/** What a value of the access log is long, at most: an id of the request, or a time. */
const bytesPerAccessLogValue = 26;

const alarm = z.object({ Metrics: z.array(z.looseObject({ MetricStat: z.unknown().optional() })).optional() });
const table = z.object({
  BillingMode: z.string().optional(),
  GlobalSecondaryIndexes: z.array(z.unknown()).default([]),
  PointInTimeRecoverySpecification: z.object({ PointInTimeRecoveryEnabled: z.boolean() }).optional(),
});
const lambda = z.object({
  MemorySize: z.number().default(128),
  TracingConfig: z.object({ Mode: z.string() }).optional(),
  LoggingConfig: z.object({ SystemLogLevel: z.string().optional() }).optional(),
});
const queue = z.object({ FifoQueue: z.boolean().default(false) });
const schedule = z.object({ ScheduleExpression: z.string() });
const logGroup = z.object({ RetentionInDays: z.number() });
const archive = z.object({ RetentionDays: z.number() });
const stage = z.object({
  AccessLogSettings: z.object({ Format: z.string() }).optional(),
  DefaultRouteSettings: z.object({ DetailedMetricsEnabled: z.boolean().optional() }).optional(),
});

/**
 * Reads what has a price from the templates of the stacks.
 *
 * @throws {DeploymentError} when a schedule has no fixed rate
 */
export function readDeployment(templates: readonly unknown[]): Deployment {
  const resources = templates.flatMap(resourcesOf);
  const ofType = <Shape extends z.ZodRawShape>(type: string, schema: z.ZodObject<Shape>) =>
    resources
      .filter((resource) => resource.type === type)
      .map(({ name, properties }) => ({ name, read: readProperties(schema, name, properties) }));
  const countOf = (type: string) => resources.filter((resource) => resource.type === type).length;
  const alarms = ofType('AWS::CloudWatch::Alarm', alarm);
  const stages = ofType('AWS::ApiGatewayV2::Stage', stage);
  return {
    alarmMetrics: alarms.reduce((sum, { read }) => sum + metricsOf(read.Metrics), 0),
    compositeAlarms: countOf('AWS::CloudWatch::CompositeAlarm'),
    dashboards: countOf('AWS::CloudWatch::Dashboard'),
    keys: countOf('AWS::KMS::Key'),
    secrets: countOf('AWS::SecretsManager::Secret'),
    tables: ofType('AWS::DynamoDB::Table', table).map(({ name, read }) => ({
      name,
      isOnDemand: read.BillingMode === 'PAY_PER_REQUEST',
      hasRecovery: read.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled === true,
      indexes: read.GlobalSecondaryIndexes.length,
    })),
    functions: ofType('AWS::Lambda::Function', lambda).map(({ name, read }) => ({
      name,
      memoryGigabytes: read.MemorySize / 1_024,
      isTraced: read.TracingConfig?.Mode === 'Active',
      logsEachRun: read.LoggingConfig?.SystemLogLevel !== 'WARN',
    })),
    queues: ofType('AWS::SQS::Queue', queue).map(({ read }) => ({ isFifo: read.FifoQueue })),
    polledQueues: countOf('AWS::Lambda::EventSourceMapping'),
    schedules: ofType('AWS::Scheduler::Schedule', schedule).map(({ name, read }) => ({
      name,
      runsPerMonth: secondsPerMonth / secondsOf(read.ScheduleExpression, name),
    })),
    accessLogBytes: stages.reduce((sum, { read }) => sum + accessLogBytes(read.AccessLogSettings?.Format), 0),
    hasRouteMetrics: stages.some(({ read }) => read.DefaultRouteSettings?.DetailedMetricsEnabled === true),
    logRetentionDays: Math.max(0, ...ofType('AWS::Logs::LogGroup', logGroup).map(({ read }) => read.RetentionInDays)),
    archiveRetentionDays: Math.max(0, ...ofType('AWS::Events::Archive', archive).map(({ read }) => read.RetentionDays)),
    notPriced: countBy(resources.map(({ type }) => type).filter((type) => !priced.has(type) && !free.has(type))),
  };
}

function resourcesOf(text: unknown): readonly Resource[] {
  const { Resources } = template.parse(text);
  return Object.entries(Resources).map(([id, { Type, Properties, Metadata }]) => ({
    name: nameOf(Metadata['aws:cdk:path'] ?? id),
    type: Type,
    properties: Properties,
  }));
}

/** The last part of the path that names something, in kebab-case: `token-refresh`. */
function nameOf(path: string): string {
  const parts = path.split('/').filter((part) => !['Resource', 'Default', 'Function'].includes(part));
  return (parts.at(-1) ?? path).replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}

function readProperties<Schema extends z.ZodType>(schema: Schema, name: string, properties: unknown): z.output<Schema> {
  const result = schema.safeParse(properties);
  if (result.success) return result.data;
  throw new DeploymentError(
    `The cost of ${name} cannot be computed:\n  ${plainIssues(result.error.issues, properties).join('\n  ')}`,
  );
}

function metricsOf(metrics: z.output<typeof alarm>['Metrics']): number {
  return metrics === undefined ? 1 : metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;
}

function secondsOf(expression: string, name: string): number {
  const [, number, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (number === undefined) throw new DeploymentError(`The schedule ${name} has no fixed rate: ${expression}.`);
  const secondsPerUnit = { minute: 60, hour: 3_600, day: 86_400 };
  return Number(number) * (unit === 'hour' || unit === 'day' ? secondsPerUnit[unit] : secondsPerUnit.minute);
}

function accessLogBytes(format: string | undefined): number {
  if (format === undefined) return 0;
  const values = format.match(/\$context\.[\w.]+/g) ?? [];
  const names = values.reduce((sum, value) => sum + value.length, 0);
  return format.length - names + values.length * bytesPerAccessLogValue + bytesPerLogLine;
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names.toSorted()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}
