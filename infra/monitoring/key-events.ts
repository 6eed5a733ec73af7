import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { type Alarms, visibleMessages } from '#infra/parts/alarms.ts';
import { EventQueue } from '#infra/parts/event-queue.ts';
import { countMessages, purge, showMessages } from '#infra/parts/runbook-commands.ts';

export type KeyEventsProps = { readonly keys: Iterable<IKey>; readonly alarms: Alarms };

const enableKey = {
  does: 'Make the key usable again. Replace KEY by requestParameters.keyId of the message. Leave out the first command for a disabled key',
  shell: 'aws kms cancel-key-deletion --key-id KEY\naws kms enable-key --key-id KEY',
};

/**
 * Takes each call that makes a key unusable. KMS itself sends an event only when it has deleted a key, which is too late: so the rule
 * is for the events of CloudTrail, which need a trail in the account.
 */
export class KeyEvents extends EventQueue {
  constructor(scope: Construct, id: string, { keys, alarms }: KeyEventsProps) {
    super(scope, id, {
      description: 'Calls that disable a key of Drawbridge, or schedule its deletion',
      eventPattern: {
        source: ['aws.kms'],
        detailType: ['AWS API Call via CloudTrail'],
        detail: {
          eventSource: ['kms.amazonaws.com'],
          eventName: ['DisableKey', 'ScheduleKeyDeletion'],
          // As the caller named it.
          requestParameters: { keyId: [...new Set(keys)].flatMap(({ keyId, keyArn }) => [keyId, keyArn]) },
        },
      },
      onLoss:
        'The target is such a queue. EventBridge retries for 24 hours, and functions that cannot use the key have alarms.',
    });
    alarms.add({
      KeyDisabled: {
        metric: visibleMessages(this, Duration.minutes(5)),
        above: 0,
        hasEnd: true,
        part: undefined,
        meaning:
          'A caller has disabled a key of this environment, or has scheduled its deletion. Within minutes nothing that the key encrypts can be read or written. Deleted, all of it is lost permanently.',
        remedy:
          'Read in the message which key and which caller. Cancel the deletion and enable the key at once, and then purge the queue. Messages wait for up to 14 days in dead-letter queues meanwhile: redrive these.',
        commands: [countMessages(this), showMessages(this), enableKey, purge(this)],
      },
    });
  }
}
