import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deployedResources, expectProperties } from './deployed-resources.ts';

/** Every queue. Only what is nowhere else is in the data stack: acknowledged webhooks, and requests from the bus. */
const table: readonly {
  readonly name: string;
  readonly stack: 'data' | 'service';
  /** Where a message goes that fails too often. */
  readonly deadLetters?: string;
  /** The rule that may send to it. */
  readonly openTo?: string;
  /** Whether it is encrypted with a key of SQS. Its policy is that of a rule of the default bus. */
  readonly isWithoutKey?: true;
}[] = [
  { name: 'Webhooks', stack: 'data', deadLetters: 'WebhooksDlq' },
  { name: 'WebhooksDlq', stack: 'data' },
  { name: 'Requests', stack: 'data', deadLetters: 'RequestsDlq', openTo: 'drawbridge-laptop-service-requested' },
  { name: 'RequestsDlq', stack: 'data', openTo: 'drawbridge-laptop-service-requested' },
  { name: 'TokenRefresher/TokenRefreshes', stack: 'service', deadLetters: 'TokenRefresher/TokenRefreshesDlq' },
  { name: 'TokenRefresher/TokenRefreshesDlq', stack: 'service' },
  { name: 'Onboarding/Onboarding', stack: 'service', deadLetters: 'Onboarding/OnboardingDlq' },
  { name: 'Onboarding/OnboardingDlq', stack: 'service' },
  // The dead-letter queue of the schedules, which no other queue redrives to.
  { name: 'MissedRuns', stack: 'service' },
  // Its events say that the key cannot be used. They hold nothing of a row.
  { name: 'KeyEvents', stack: 'service', isWithoutKey: true },
];

const stacks = { data: deployedResources('data'), service: deployedResources('service') };
const isQueue = ({ Type }: { readonly Type: string }) => Type === 'AWS::SQS::Queue';
const all = [...stacks.data, ...stacks.service].filter(isQueue);
const withKey = table.filter(({ isWithoutKey }) => !isWithoutKey);
const redriveTargets = new Set(table.map(({ deadLetters }) => deadLetters));

const workQueue = z.object({
  VisibilityTimeout: z.number(),
  MessageRetentionPeriod: z.number(),
  RedrivePolicy: z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() }),
});

describe('a queue', () => {
  it.each(['data', 'service'] as const)('has a row in this test when it is of the %s stack', (stack) => {
    const names = table.filter((row) => row.stack === stack).map(({ name }) => name);
    expect(
      stacks[stack]
        .filter(isQueue)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted());
  });

  it.each(withKey)('is encrypted with the key of the data stack (promise 8): $name', ({ name, stack }) => {
    expectProperties(stacks[stack], name, { KmsMasterKeyId: '<Key.Arn>' });
  });

  it.each(withKey)('refuses calls without TLS, and is open to its rule at most: $name', ({ name, stack, openTo }) => {
    const refusal = {
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: 'sqs:*',
      Resource: `<${name}.Arn>`,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    };
    const rule = `arn:<AWS::Partition>:events:<AWS::Region>:<AWS::AccountId>:rule/<Bus>/${openTo}`;
    const grant = {
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: `<${name}.Arn>`,
      Condition: { ArnEquals: { 'aws:SourceArn': rule } },
    };
    expectProperties(stacks[stack], `${name}/Policy`, {
      Queues: [`<${name}>`],
      'PolicyDocument.Statement': openTo === undefined ? [refusal] : [refusal, grant],
    });
    const policies = stacks[stack].filter(
      ({ Type, Properties }) => Type === 'AWS::SQS::QueuePolicy' && String(Properties['Queues']) === `<${name}>`,
    );
    expect(policies).toHaveLength(1);
  });

  it.each(table)('lets other queues redrive to $name only if it is their dead-letter queue', ({ name, stack }) => {
    const denied = { redrivePermission: 'denyAll' };
    expectProperties(stacks[stack], name, { RedriveAllowPolicy: redriveTargets.has(name) ? undefined : denied });
  });

  it.each(table.filter(({ deadLetters }) => deadLetters !== undefined))(
    'keeps a message of $name out of $deadLetters during six hours of failures, and for longer than that there (promise 9)',
    ({ name, deadLetters }) => {
      const [queue, target] = [name, deadLetters].map((one) => all.find((queue) => queue.name === one)?.Properties);
      const { VisibilityTimeout, MessageRetentionPeriod, RedrivePolicy } = workQueue.parse(queue);
      const { deadLetterTargetArn, maxReceiveCount } = RedrivePolicy;
      expect(deadLetterTargetArn).toBe(`<${deadLetters}.Arn>`);
      expect(VisibilityTimeout * maxReceiveCount).toBeGreaterThanOrEqual(6 * 3_600);
      expect(maxReceiveCount).toBeGreaterThanOrEqual(5);
      // SQS takes no more.
      expect(maxReceiveCount).toBeLessThanOrEqual(1_000);
      expect(MessageRetentionPeriod).toBeGreaterThan(VisibilityTimeout * maxReceiveCount);
      // A message keeps its age.
      expect(target?.['MessageRetentionPeriod']).toBeGreaterThan(MessageRetentionPeriod);
      // SQS refuses a dead-letter queue of the other kind, and a message that is larger than the queue takes.
      for (const property of ['FifoQueue', 'MaximumMessageSize']) expect(target?.[property]).toBe(queue?.[property]);
    },
  );
});
