import { Duration, Fn, Stack, Validations } from 'aws-cdk-lib';
import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { onboardingKeys } from '#shared/onboarding-keys.ts';
import { createDeadLetterQueue } from './dead-letter-queue.ts';
import { DrawbridgeFunction } from './function.ts';
import { createStage } from './http-stage.ts';
import { LookUp, lookUpRoutes } from './look-up.ts';
import { type Onboarding, onboardingRoutes } from './onboarding.ts';
import { type PlatformAccess, profileVariable } from './platform-access.ts';
import { Register } from './register.ts';
import { Replay } from './replay.ts';
import type { Settings } from './settings.ts';

export type WebhookIngestProps = {
  readonly settings: Settings;
  readonly key: Key;
  readonly events: Table;
  readonly entities: Table;
  /** Where `store` publishes what changed. */
  readonly bus: EventBus;
  readonly webhookSecret: Secret;
  /** Is woken by what `store` learns, and answers on the same API. */
  readonly onboarding: Onboarding;
  /** For what registers the webhooks. */
  readonly platformAccess: PlatformAccess;
  /** Where a run goes that a schedule could not start. */
  readonly missedRuns: Queue;
};

const storeTimeout = Duration.seconds(30);

/** The most that SQS takes, in the queue and in what it moves to. */
const maxMessageSizeBytes = 1_048_576;

/**
 * Takes in webhooks: HTTP API → receive → queue → store → events, entities, bus. Registers them on the platform.
 * Answers what is known of them, on the same API, which has the routes of the onboardings too.
 */
export class WebhookIngest extends Construct {
  readonly api: HttpApi;
  readonly receive: DrawbridgeFunction;
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
  readonly store: DrawbridgeFunction;
  /** Where the platform delivers each event type: at this URL, followed by `/` and the event type. */
  readonly webhooksUrl: string;
  readonly register: DrawbridgeFunction;
  readonly replay: DrawbridgeFunction;
  readonly lookUp: LookUp;

  constructor(scope: Construct, id: string, props: WebhookIngestProps) {
    super(scope, id);
    this.deadLetterQueue = createDeadLetterQueue(this, 'WebhooksDlq', { key: props.key, maxMessageSizeBytes });
    this.queue = new Queue(this, 'Webhooks', {
      encryption: QueueEncryption.KMS,
      encryptionMasterKey: props.key,
      enforceSSL: true,
      retentionPeriod: Duration.days(7),
      visibilityTimeout: Duration.seconds(storeTimeout.toSeconds() * 6),
      maxMessageSizeBytes,
      // At 3 minutes a try, half an hour of a failing DynamoDB passes before a hand is needed.
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: 10 },
    });
    this.receive = this.#receive(props);
    this.store = this.#store(props);
    this.lookUp = new LookUp(this, 'LookUp', props);
    const path = randomPath(this, props.settings);
    this.api = this.#api(`/webhooks/${path}/{eventType}`);
    for (const capability of [this.lookUp, props.onboarding]) capability.addRoutes(this.api);
    createStage(this, this.api, { settings: props.settings, throttles: throttlesOf(props.settings) });
    this.webhooksUrl = `${props.settings.webhooksUrl ?? `${this.api.apiEndpoint}/webhooks`}/${path}`;
    this.register = new Register(this, 'Register', { ...props, webhooksUrl: this.webhooksUrl });
    this.replay = new Replay(this, 'Replay', { ...props, webhooks: this.queue });
    for (const { lambda } of [this.receive, this.store, this.lookUp])
      Validations.of(lambda).acknowledge({
        id: 'Serverless-LambdaDLQ',
        reason: 'It is never invoked asynchronously: what fails stays with the queue, or with whoever called.',
      });
  }

  #receive({ settings, key, webhookSecret }: WebhookIngestProps): DrawbridgeFunction {
    const receive = new DrawbridgeFunction(this, 'Receive', {
      description: 'Takes in a webhook: checks its secret, and answers once SQS has it',
      entry: 'functions/webhook-ingest/receive.lambda.ts',
      environment: {
        QUEUE_URL: this.queue.queueUrl,
        SECRET_ID: webhookSecret.secretArn,
        SECRET_HEADER: settings.secretHeader.toLowerCase(),
        ...(settings.webhookSources && { SOURCE_RANGES: JSON.stringify(settings.webhookSources) }),
      },
      // A full vCPU comes at 1,769 MB: at this a cold start is short, and most of the bill is still the request.
      memorySize: 1_024,
      timeout: Duration.seconds(10),
      logRetention: settings.logRetentionDays,
      reservedConcurrency: settings.receiveConcurrency,
      // Two lines for each request, a rejected one too, would say what metrics say: how many there were, and how long.
      platformLog: 'failures',
    });
    receive.allow(['sqs:SendMessage'], this.queue.queueArn);
    receive.allow(['secretsmanager:GetSecretValue'], webhookSecret.secretArn);
    receive.allow(['kms:Decrypt', 'kms:GenerateDataKey'], key.keyArn);
    return receive;
  }

  #store({ settings, key, events, entities, bus, onboarding }: WebhookIngestProps): DrawbridgeFunction {
    const store = new DrawbridgeFunction(this, 'Store', {
      description:
        'Makes each delivery an event, stored once; merges it into its entity, publishes what changed, wakes onboardings',
      entry: 'functions/webhook-ingest/store.lambda.ts',
      environment: {
        EVENTS_TABLE: events.tableName,
        ENTITIES_TABLE: entities.tableName,
        EVENT_BUS: bus.eventBusName,
        ONBOARDINGS_TABLE: onboarding.onboardings.tableName,
        ONBOARDING_QUEUE_URL: onboarding.queue.queueUrl,
        EVENT_RETENTION_DAYS: String(settings.eventRetentionDays),
        ...profileVariable(settings),
      },
      memorySize: 1_024,
      timeout: storeTimeout,
      logRetention: settings.logRetentionDays,
    });
    store.allow(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'], events.tableArn);
    const ofEntities = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:DeleteItem'];
    store.allow(ofEntities, entities.tableArn);
    store.allow(['dynamodb:GetItem'], onboarding.onboardings.tableArn);
    for (const { index } of [onboardingKeys.person, onboardingKeys.verification])
      store.allow(['dynamodb:Query'], `${onboarding.onboardings.tableArn}/index/${index}`);
    store.allow(['sqs:SendMessage'], onboarding.queue.queueArn);
    store.allow(['events:PutEvents'], bus.eventBusArn);
    store.allow(['kms:Decrypt', 'kms:GenerateDataKey'], key.keyArn);
    store.lambda.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 10,
        reportBatchItemFailures: true,
        maxConcurrency: settings.storeConcurrency,
      }),
    );
    Validations.of(store).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: 'A queue takes no destination for what fails: its redrive policy moves it to the dead-letter queue.',
    });
    return store;
  }

  #api(webhooksPath: string): HttpApi {
    const api = new HttpApi(this, 'Api', {
      description:
        'Where the platform delivers webhooks, and the partner asks for onboardings and looks up what is known',
      createDefaultStage: false,
    });
    const route = new HttpRoute(api, 'WebhooksRoute', {
      httpApi: api,
      routeKey: HttpRouteKey.with(webhooksPath, HttpMethod.POST),
      integration: new HttpLambdaIntegration('ReceiveIntegration', this.receive.lambda),
    });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'The platform signs nothing and takes no token: its registered secret header is checked by receive.',
    });
    return api;
  }
}

/**
 * A part of the path that only those know to whom the URL was given: API Gateway answers 404 to all others, without the
 * throttle of the route and without `receive`. No secret: deliveries prove themselves by the header.
 */
function randomPath(scope: Construct, { webhookPathKey }: Settings): string {
  const uuid = Fn.select(2, Fn.split('/', Stack.of(scope).stackId));
  return webhookPathKey === undefined ? uuid : `${uuid}-${webhookPathKey}`;
}

/** What the routes that the partner's own systems call take at most. */
function throttlesOf({ lookUpThrottle, onboardingThrottle }: Settings) {
  return new Map([
    ...lookUpRoutes.map((route) => [route, lookUpThrottle] as const),
    ...onboardingRoutes.map((route) => [route, onboardingThrottle] as const),
  ]);
}
