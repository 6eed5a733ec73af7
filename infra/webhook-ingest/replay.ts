import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { gauge } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import { addOutput } from '#infra/parts/output.ts';
import { drawbridge } from '#infra/parts/runbook-commands.ts';
import { useKey, via } from '#infra/parts/use-key.ts';
import type { WorkQueue } from '#infra/parts/work-queue.ts';
import { eventKeys } from '#shared/events/event-row.ts';

export type ReplayProps = Pick<CapabilityProps, 'settings' | 'data' | 'alarms'> & {
  /** Where `store` takes the replayed events. */
  readonly queue: WorkQueue;
};

/** Gives stored events their effect again, such as those in quarantine after a fix. An operator invokes it. */
export class Replay extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, { settings, data, alarms, queue }: ReplayProps) {
    const { key, events } = data;
    super(scope, id, {
      data,
      settings,
      description: 'Counts events in quarantine, and hands them to store once more',
      entry: 'functions/webhook-ingest/replay/lambda.ts',
      environment: { EVENTS_TABLE: events.tableName, QUEUE_URL: queue.queueUrl },
      memorySize: 1_024,
      // The operator waits for the answer: a connection that is idle for longer may be cut.
      timeout: Duration.minutes(5),
      onFailure:
        'The operator who invoked it sees the error and invokes it again. Replaying an event twice is harmless.',
    });
    this.allow(['dynamodb:Query'], `${events.tableArn}/index/${eventKeys.quarantine.index}`);
    this.allow(['dynamodb:GetItem', 'dynamodb:Scan'], events.tableArn);
    this.allow(['sqs:SendMessage'], queue.queueArn);
    this.allow(useKey, key.keyArn, via('dynamodb', 'sqs'));
    // No alarm on errors: the operator who invokes it gets them as the answer.
    alarms.add({
      EventsQuarantined: {
        metric: gauge(this, 'EventsNowQuarantined'),
        above: 0,
        hasEnd: true,
        part: 'tables',
        meaning: 'Events without effect are in quarantine. drawbridge quarantine ls has the reasons.',
        remedy:
          'Fix the cause, most likely the platform profile in the settings file, and deploy. Then run drawbridge quarantine replay.',
        commands: [drawbridge('quarantine ls'), drawbridge('quarantine replay', 'Once the cause is fixed')],
      },
      QuarantineExpires: {
        metric: gauge(this, 'QuarantinedExpiring'),
        above: 0,
        hasEnd: true,
        part: 'tables',
        meaning:
          'Events in quarantine are deleted within 7 days: unreadRetentionDays after their receipt if the body cannot be read, or eventRetentionDays.',
        remedy:
          'Ask the support of the platform to send again what could not be read, or keep what you need of it. Fix the cause of the others, and replay them.',
        commands: [
          drawbridge('quarantine count', 'When the first is deleted'),
          drawbridge('quarantine replay', 'Once the cause is fixed'),
        ],
      },
    });
    addOutput(
      this,
      'ReplayFunction',
      'Invoke it with {} to count the events in quarantine; it answers the request that replays them',
      this.lambda.functionName,
    );
  }
}
