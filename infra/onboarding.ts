import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { createDeadLetterQueue } from './dead-letter-queue.ts';
import { DrawbridgeFunction } from './function.ts';
import { allowPlatform, type PlatformAccess, profileVariable } from './platform-access.ts';
import type { Settings } from './settings.ts';

export type OnboardingProps = {
  readonly settings: Settings;
  readonly key: Key;
  readonly onboardings: Table;
  /** What is erased of a person is there, too. */
  readonly events: Table;
  readonly entities: Table;
  /** Where it is asked for onboardings, and where each step is published. */
  readonly bus: EventBus;
  readonly platformAccess: PlatformAccess;
};

const requestRoutes = [
  { method: HttpMethod.POST, path: '/onboardings' },
  { method: HttpMethod.GET, path: '/onboardings/{externalId}' },
  { method: HttpMethod.POST, path: '/onboardings/{externalId}/cancel' },
  { method: HttpMethod.POST, path: '/onboardings/{externalId}/retry' },
];
const updateRoutes = [{ method: HttpMethod.PATCH, path: '/onboardings/{externalId}/person' }];
const eraseRoutes = [{ method: HttpMethod.DELETE, path: '/persons/{externalId}' }];

/** The keys of its routes, as API Gateway writes them. */
export const onboardingRoutes = [...requestRoutes, ...updateRoutes, ...eraseRoutes].map(
  ({ method, path }) => `${method} ${path}`,
);

/** Longer than a few steps, each with a call to the platform and all its attempts, and than a search of fifty pages. */
const advanceTimeout = Duration.minutes(2);

/** As long as the SDK tries to reach DynamoDB, and as long again. */
const requestEventTimeout = Duration.minutes(5);

/** The most that EventBridge does for a target that does not take an event. */
const untilTaken = { maxEventAge: Duration.hours(24), retryAttempts: 185 };

/**
 * Onboards persons: HTTP API or bus → request → onboardings, queue → advance → platform, bus. Whoever learns something about
 * an onboarding wakes it by its queue.
 */
export class Onboarding extends Construct {
  /** Takes the ids of onboardings that are to be looked at. */
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
  readonly request: DrawbridgeFunction;
  readonly requestEvent: DrawbridgeFunction;
  readonly updatePerson: DrawbridgeFunction;
  readonly erasePerson: DrawbridgeFunction;
  readonly advance: DrawbridgeFunction;
  /** What CloudWatch tells the rule by that hands what is requested on the bus to `requestEvent`. */
  readonly ruleDimensions: { readonly EventBusName: string; readonly RuleName: string };
  readonly onboardings: Table;

  constructor(scope: Construct, id: string, props: OnboardingProps) {
    super(scope, id);
    const { key, onboardings, bus } = props;
    this.onboardings = onboardings;
    this.deadLetterQueue = createDeadLetterQueue(this, 'OnboardingDlq', { key });
    this.queue = new Queue(this, 'Onboarding', {
      encryption: QueueEncryption.KMS,
      encryptionMasterKey: key,
      enforceSSL: true,
      retentionPeriod: Duration.days(7),
      visibilityTimeout: Duration.seconds(advanceTimeout.toSeconds() * 6),
      // At 12 minutes a try, two hours of a failing DynamoDB pass before a hand is needed. What the platform does is no failure.
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: 10 },
    });
    this.request = this.#request(props);
    this.requestEvent = this.#requestEvent(props);
    this.updatePerson = this.#updatePerson(props);
    this.erasePerson = this.#erasePerson(props);
    this.advance = this.#advance(props);
    // The name is given, since what CloudFormation refers to a rule of such a bus by is not its name.
    this.ruleDimensions = { EventBusName: bus.eventBusName, RuleName: `${Stack.of(this).stackName}-requested` };
    this.#takeRequestsOf(bus);
    for (const { lambda } of [this.request, this.updatePerson, this.erasePerson, this.advance])
      Validations.of(lambda).acknowledge({
        id: 'Serverless-LambdaDLQ',
        reason: 'It is never invoked asynchronously: what fails stays with the queue, or with whoever called.',
      });
  }

  /** Puts its routes on the API. API Gateway checks the signature, and whether the caller may `execute-api:Invoke`. */
  addRoutes(api: HttpApi): void {
    const authorizer = new HttpIamAuthorizer();
    const add = (routes: typeof requestRoutes, name: string, { lambda }: DrawbridgeFunction) => {
      const integration = new HttpLambdaIntegration(name, lambda);
      for (const { method, path } of routes) api.addRoutes({ path, methods: [method], integration, authorizer });
    };
    add(requestRoutes, 'RequestIntegration', this.request);
    add(updateRoutes, 'UpdatePersonIntegration', this.updatePerson);
    add(eraseRoutes, 'ErasePersonIntegration', this.erasePerson);
  }

  #request({ settings, key, onboardings }: OnboardingProps): DrawbridgeFunction {
    const request = new DrawbridgeFunction(this, 'Request', {
      description: 'Takes in requests for onboardings, shows how far they are, cancels and retries them',
      entry: 'functions/onboarding/request.lambda.ts',
      environment: this.#variables(settings),
      memorySize: 1_024,
      timeout: Duration.seconds(10),
      logRetention: settings.logRetentionDays,
    });
    this.#allowTakingIn(request, { key, onboardings });
    return request;
  }

  #requestEvent({ settings, key, onboardings, bus }: OnboardingProps): DrawbridgeFunction {
    const requestEvent = new DrawbridgeFunction(this, 'RequestEvent', {
      description: 'Takes in the onboardings that are requested by an event on the bus',
      entry: 'functions/onboarding/request-event.lambda.ts',
      environment: { ...this.#variables(settings), EVENT_BUS: bus.eventBusName },
      memorySize: 1_024,
      timeout: requestEventTimeout,
      logRetention: settings.logRetentionDays,
    });
    this.#allowTakingIn(requestEvent, { key, onboardings });
    requestEvent.allow(['events:PutEvents'], bus.eventBusArn);
    Validations.of(requestEvent.lambda).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'The event holds a person, which no queue of ours may: alarms tell, and whoever asked asks again.',
    });
    return requestEvent;
  }

  #updatePerson({ settings, onboardings, platformAccess }: OnboardingProps): DrawbridgeFunction {
    const { ONBOARDING_QUEUE_URL, ...variables } = this.#variables(settings);
    const updatePerson = new DrawbridgeFunction(this, 'UpdatePerson', {
      description: 'Hands an update of a person on to the platform',
      entry: 'functions/onboarding/update-person.lambda.ts',
      environment: variables,
      memorySize: 1_024,
      // API Gateway waits for 30 seconds.
      timeout: Duration.seconds(29),
      logRetention: settings.logRetentionDays,
    });
    allowPlatform(updatePerson, platformAccess);
    updatePerson.allow(['dynamodb:GetItem'], onboardings.tableArn);
    return updatePerson;
  }

  #erasePerson({ settings, key, onboardings, events, entities }: OnboardingProps): DrawbridgeFunction {
    const erasePerson = new DrawbridgeFunction(this, 'ErasePerson', {
      description: 'Erases a person from every table that holds it',
      entry: 'functions/onboarding/erase-person.lambda.ts',
      environment: {
        ONBOARDINGS_TABLE: onboardings.tableName,
        ENTITIES_TABLE: entities.tableName,
        EVENTS_TABLE: events.tableName,
        EVENT_RETENTION_DAYS: String(settings.eventRetentionDays),
        ...profileVariable(settings),
      },
      // It looks through all bodies.
      memorySize: 1_024,
      // API Gateway waits for 30 seconds.
      timeout: Duration.seconds(29),
      logRetention: settings.logRetentionDays,
    });
    erasePerson.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], onboardings.tableArn);
    erasePerson.allow(['dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:DeleteItem'], entities.tableArn);
    erasePerson.allow(['dynamodb:Scan', 'dynamodb:GetItem', 'dynamodb:UpdateItem'], events.tableArn);
    erasePerson.allow(['kms:Decrypt', 'kms:GenerateDataKey'], key.keyArn);
    return erasePerson;
  }

  #advance({ settings, onboardings, bus, platformAccess }: OnboardingProps): DrawbridgeFunction {
    const advance = new DrawbridgeFunction(this, 'Advance', {
      description: 'Takes onboardings as far as they go, and publishes each step',
      entry: 'functions/onboarding/advance.lambda.ts',
      environment: { ...this.#variables(settings), EVENT_BUS: bus.eventBusName },
      memorySize: 1_024,
      timeout: advanceTimeout,
      logRetention: settings.logRetentionDays,
    });
    allowPlatform(advance, platformAccess);
    advance.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], onboardings.tableArn);
    advance.allow(['sqs:SendMessage'], this.queue.queueArn);
    advance.allow(['events:PutEvents'], bus.eventBusArn);
    advance.lambda.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 5,
        reportBatchItemFailures: true,
        maxConcurrency: settings.onboardingConcurrency,
      }),
    );
    Validations.of(advance).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: 'A queue takes no destination for what fails: its redrive policy moves it to the dead-letter queue.',
    });
    return advance;
  }

  /** Whoever puts it on the bus: to be allowed to is what tells the partner's own systems from others. */
  #takeRequestsOf(bus: EventBus): void {
    const rule = new Rule(this, 'Requested', {
      ruleName: this.ruleDimensions.RuleName,
      description: 'Hands OnboardingRequested to the function that takes it in',
      eventBus: bus,
      eventPattern: { detailType: ['OnboardingRequested'] },
      targets: [new LambdaFunction(this.requestEvent.lambda, untilTaken)],
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'The event holds a person, which no queue of ours may: an alarm tells, and whoever asked asks again.',
    });
  }

  #variables(settings: Settings) {
    const { onboarding } = settings;
    return {
      ...profileVariable(settings),
      ONBOARDINGS_TABLE: this.onboardings.tableName,
      ONBOARDING_QUEUE_URL: this.queue.queueUrl,
      ...(onboarding && { ONBOARDING_SETTINGS: JSON.stringify(onboarding) }),
    };
  }

  #allowTakingIn(taking: DrawbridgeFunction, { key, onboardings }: Pick<OnboardingProps, 'key' | 'onboardings'>): void {
    taking.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], onboardings.tableArn);
    taking.allow(['sqs:SendMessage'], this.queue.queueArn);
    taking.allow(['kms:Decrypt', 'kms:GenerateDataKey'], key.keyArn);
  }
}
