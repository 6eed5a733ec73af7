import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { CfnPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  ApplicationLogLevel,
  Architecture,
  CfnFunction,
  EventSourceMapping,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Network } from '#infra/account-settings.ts';
import { functionCode } from '#infra/bundles/function-code.ts';
import { Canary, type CanaryWatch } from '#infra/rollout/canary.ts';
import type { Settings } from '#infra/settings.ts';
import { laptop } from '#infra/settings-file/settings-file.ts';
import type { MetricsEnvironment } from '#shared/lambda/metrics.ts';
import { acknowledge, acknowledgeForCheckov, acknowledgeInlinePolicy } from './acknowledge.ts';
import { EncryptedLogGroup } from './encrypted-log-group.ts';
import { connectToNetwork } from './network-access.ts';
import { type Conditions, via } from './use-key.ts';
import { findVariablesFaults } from './variables-limit.ts';
import type { WorkQueue } from './work-queue.ts';

export type DrawbridgeFunctionProps = {
  /** What it does, as the console shows it. */
  readonly description: string;
  /** Of the same environment. */
  readonly data: { readonly environmentName: string; readonly key: IKey };
  /** Its process entry, from the root of the repository: `functions/<capability>/<function>/lambda.ts`. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memorySize: number;
  readonly timeout: Duration;
  readonly settings: Pick<Settings, 'logRetentionDays' | 'tracing' | 'network' | 'rollout' | 'fipsEndpoints'>;
  /** Executions at a time: the function's maximum, and at the same time reserved from the account for it. */
  readonly reservedConcurrency?: number | undefined;
  /** Where `rollout` is `canary`, the function is released in steps: what stops them. */
  readonly canaryWatches?: CanaryWatch;
  /** Whether the function calls the platform: then it is in the `network` of the settings. */
  readonly callsPlatform?: true;
  /** Whether Lambda writes lines of its own for each invocation (START, REPORT), or only for those that fail. */
  readonly platformLog?: 'every invocation' | 'failures';
  /** How often schedules invoke it. The next run does what this one left undone: Lambda repeats no run that failed, and starts none late. */
  readonly runsEvery?: Duration;
  /** Why the function has no dead-letter queue of its own: what becomes of an invocation that fails. A sentence. */
  readonly onFailure: string;
};

const outsideVpcReason =
  'It accepts no connection, and calls AWS and the platform over TLS only: a VPC would protect nothing that IAM does not.';

const unreservedReason =
  'A reserve would take from the concurrency of the account. Throttles, queues and schedules bound how often it runs.';

const untracedReason =
  'Tracing is a setting that is off by default: logs have the ids and durations of each step, and X-Ray bills each trace.';

const plainVariablesReason =
  'Its variables name resources and hold settings, and no secret. Lambda encrypts them with a key of its own.';

/** Of a function that API Gateway calls. */
export const callerRetries = 'It is never invoked asynchronously: the caller learns of the failure and calls again.';

export type ConsumptionProps = {
  /** Messages in one invocation, at most. */
  readonly batchSize: number;
  /** Invocations at a time, at most; as Lambda scales unless given. */
  readonly maxConcurrency?: number;
  /** For how long Lambda gathers messages into a batch, at most; as long as it takes to read them unless given. */
  readonly maxBatchingWindow?: Duration;
};

/** How old an event gets in the queue of asynchronous invocations, at most: the limit of Lambda. */
const maxEventAge = Duration.hours(6);

/** For a function that schedules invoke: the defaults of Lambda are two repetitions, and an age of six hours. */
function asyncInvocation(runsEvery: Duration) {
  return { retryAttempts: 0, maxEventAge: runsEvery.toSeconds() < maxEventAge.toSeconds() ? runsEvery : maxEventAge };
}

function networkOf({ settings: { network }, callsPlatform }: DrawbridgeFunctionProps): Network | undefined {
  return callsPlatform || network?.allFunctions ? network : undefined;
}

/**
 * Every function is one of these: Node 24 on arm64, bundled, with a log group of its own. Its role may write to that log
 * group, and to X-Ray if it is traced, until more is granted.
 */
export class DrawbridgeFunction extends Construct {
  readonly lambda: LambdaFunction;
  /** What queues and APIs invoke: the function, or its alias if it is released in steps. */
  readonly invoked: IFunction;
  readonly logGroup: LogGroup;
  readonly timeout: Duration;
  /** The environment that the metrics of the function name. */
  readonly environmentName: string;
  /** Grow until the synthesis, which checks them. */
  readonly #variables: Map<string, string>;

  constructor(scope: Construct, id: string, props: DrawbridgeFunctionProps) {
    super(scope, id);
    this.timeout = props.timeout;
    this.environmentName = props.data.environmentName;
    const { logRetentionDays, tracing, fipsEndpoints } = props.settings;
    const network = networkOf(props);
    const isTraced = tracing === 'sampled';
    const ofMetrics = { ENVIRONMENT: this.environmentName } satisfies MetricsEnvironment;
    const environment = {
      ...ofMetrics,
      ...(fipsEndpoints && { AWS_USE_FIPS_ENDPOINT: 'true' }),
      ...props.environment,
    };
    this.#variables = new Map(Object.entries(environment));
    this.node.addValidation({ validate: () => [...findVariablesFaults(this.#variables)] });
    this.logGroup = new EncryptedLogGroup(this, 'Logs', { data: props.data, retention: logRetentionDays });
    // Without aws:SourceAccount: no documentation says that Lambda sends it when it assumes a role.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: functionCode(props.entry),
      handler: 'index.handler',
      environment,
      memorySize: props.memorySize,
      timeout: props.timeout,
      role,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      ...(props.platformLog === 'failures' && { systemLogLevelV2: SystemLogLevel.WARN }),
      ...(props.reservedConcurrency !== undefined && { reservedConcurrentExecutions: props.reservedConcurrency }),
      tracing: isTraced ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(props.runsEvery !== undefined && asyncInvocation(props.runsEvery)),
    });
    if (network !== undefined) connectToNetwork(this.lambda, role, network);
    if (isTraced || network !== undefined)
      Validations.of(this).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'X-Ray takes trace segments on no resource but *. Neither does EC2 describe subnets on any other.',
      });
    acknowledgeInlinePolicy(role);
    this.#complete(role, isTraced);
    acknowledge(this.lambda, 'LambdaDLQ', props.onFailure);
    if (props.runsEvery !== undefined) acknowledge(this.lambda, 'LambdaAsyncFailureDestination', props.onFailure);
    if (!isTraced) acknowledge(this.lambda, 'LambdaTracing', untracedReason);
    if (network === undefined) acknowledge(this.lambda, 'LambdaInsideVPC', outsideVpcReason);
    if (props.reservedConcurrency === undefined) acknowledge(this.lambda, 'LambdaConcurrency', unreservedReason);
    acknowledgeForCheckov(this.lambda, 'CKV_AWS_173', plainVariablesReason);
    this.invoked = this.#createCanary(props)?.alias ?? this.lambda;
  }

  /** The laptop hosts no CodeDeploy. */
  #createCanary({ canaryWatches: watches, settings: { rollout } }: DrawbridgeFunctionProps): Canary | undefined {
    const { lambda, environmentName } = this;
    if (watches === undefined || rollout !== 'canary' || environmentName === laptop) return undefined;
    return new Canary(this, 'Canary', { lambda, environmentName, watches });
  }

  /** Sets what the CDK leaves out or sets otherwise. */
  #complete(role: Role, isTraced: boolean): void {
    const lambda = this.lambda.node.defaultChild;
    const policy = role.node.findChild('DefaultPolicy').node.defaultChild;
    if (!(lambda instanceof CfnFunction && policy instanceof CfnPolicy))
      throw new Error(`${this.node.path} has no policy: grant its log group first.`);
    // The CDK would leave the mode out: a function that an earlier release traced might stay traced.
    if (!isTraced) lambda.addPropertyOverride('TracingConfig', { Mode: 'PassThrough' });
    // The CDK lets a function wait for its role, to which it refers anyway, and for its policy, to which it does not.
    lambda.addOverride('DependsOn', [Stack.of(this).getLogicalId(policy)]);
  }

  /** Has the function take the messages of a queue, each of which fails or succeeds on its own. */
  consume(queue: WorkQueue, { maxConcurrency, ...batches }: ConsumptionProps): void {
    const scaling = maxConcurrency === undefined ? {} : { maxConcurrency };
    // An SqsEventSource would grant two actions that polling does not need.
    // In the scope of the function and not of an alias: a mapping keeps its logical id when `rollout` changes.
    new EventSourceMapping(this.lambda, `${queue.node.id}Messages`, {
      target: this.invoked,
      eventSourceArn: queue.queueArn,
      ...batches,
      reportBatchItemFailures: true,
      ...scaling,
    });
    this.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], queue.queueArn);
    if (queue.encryptionMasterKey !== undefined)
      this.allow(['kms:Decrypt'], queue.encryptionMasterKey.keyArn, via('sqs'));
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: 'A queue takes no destination for what fails: its redrive policy moves it to the dead-letter queue.',
    });
  }

  addVariables(variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables)) {
      this.lambda.addEnvironment(name, value);
      this.#variables.set(name, value);
    }
  }

  /** Allows the function exactly these actions on exactly this resource, if the conditions hold. */
  allow(actions: readonly string[], resourceArn: string, conditions: Conditions = {}): void {
    this.lambda.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [resourceArn], conditions }));
  }
}
