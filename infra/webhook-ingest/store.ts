import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Onboarding } from '#infra/onboarding/onboarding.ts';
import { errorsOf } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { callerRetries, DrawbridgeFunction } from '#infra/parts/function.ts';
import { recursionAlarm } from '#infra/parts/message-alarms.ts';
import { listVariables, profileVariable, retentionVariables } from '#infra/parts/platform-access.ts';
import { storeTimeout } from '#infra/parts/retries.ts';
import { readErrors } from '#infra/parts/runbook-commands.ts';
import { useKey, via } from '#infra/parts/use-key.ts';
import type { WorkQueue } from '#infra/parts/work-queue.ts';
import { usualLanes } from '#shared/aws/list/lanes.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';

export type StoreProps = Pick<CapabilityProps, 'settings' | 'data' | 'alarms'> & {
  readonly queue: WorkQueue;
  /** Is woken by what `store` learns. */
  readonly onboarding: Onboarding;
};

/** Says of which kinds every reported status is published. */
const reportsVariable = 'STATUS_REPORTS';

/** Stores each event once, merges it into its entity, publishes the change, and wakes onboardings. */
export class Store extends DrawbridgeFunction {
  readonly #reportedKinds = new Set<EntityKind>();

  constructor(scope: Construct, id: string, { settings, data, alarms, queue, onboarding }: StoreProps) {
    const { key, events, entities, onboardings, persons, checkpoints, bus } = data;
    super(scope, id, {
      data,
      settings,
      description:
        'Makes each delivery an event, stored once; merges it into its entity, publishes what changed, wakes onboardings',
      entry: 'functions/webhook-ingest/store/lambda.ts',
      environment: {
        EVENTS_TABLE: events.tableName,
        ENTITIES_TABLE: entities.tableName,
        PERSONS_TABLE: persons.tableName,
        EVENT_BUS: bus.eventBusName,
        CHECKPOINTS_TABLE: checkpoints.tableName,
        ONBOARDINGS_TABLE: onboardings.tableName,
        ONBOARDING_QUEUE_URL: onboarding.queue.queueUrl,
        ...retentionVariables(settings),
        ...profileVariable(settings),
        ...listVariables(settings),
      },
      // In megabytes: docs/decisions/cost.md, "Memory sizes by measurement".
      memorySize: 1_024,
      platformLog: 'failures',
      canaryWatches: ['FirstAttemptsFailed', 'NewWebhooksUnpublished'],
      timeout: storeTimeout,
      onFailure: callerRetries,
    });
    this.allow(['dynamodb:GetItem', 'dynamodb:UpdateItem'], events.tableArn);
    const ofEntities = ['dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:DeleteItem'];
    this.allow(ofEntities, entities.tableArn);
    this.allow(['dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:DeleteItem'], persons.tableArn);
    if (settings.listLanes > usualLanes) this.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], checkpoints.tableArn);
    this.allow(['dynamodb:BatchGetItem'], onboardings.tableArn);
    for (const { index } of [onboardingKeys.person, onboardingKeys.verification])
      this.allow(['dynamodb:Query'], `${onboardings.tableArn}/index/${index}`);
    this.allow(['sqs:SendMessage'], onboarding.queue.queueArn);
    this.allow(['events:PutEvents'], bus.eventBusArn);
    this.allow(useKey, key.keyArn, via('dynamodb', 'sqs'));
    this.consume(queue, {
      batchSize: 10,
      maxConcurrency: settings.storeConcurrency,
      maxBatchingWindow: Duration.seconds(settings.storeBatchingSeconds),
    });
    alarms.add({
      StoreErrors: {
        metric: errorsOf(this),
        above: 0,
        periods: 5,
        hasEnd: true,
        part: 'store',
        meaning: `Store crashes or exceeds its time limit. SQS retries its webhooks, ${queue.maxReceiveCount} times in all.`,
        remedy: 'Read the errors of Store, and fix their cause before webhooks reach the dead-letter queue.',
        commands: readErrors(this),
      },
      StoreRecursion: recursionAlarm('store', this, queue),
    });
    this.reportStatuses(settings.statusReports);
  }

  /** Has statuses of these kinds published as well that did not become the shown ones: `…StatusReported`. */
  reportStatuses(kinds: readonly EntityKind[]): void {
    for (const kind of kinds) this.#reportedKinds.add(kind);
    if (this.#reportedKinds.size > 0)
      this.addVariables({ [reportsVariable]: JSON.stringify([...this.#reportedKinds].toSorted()) });
  }
}
