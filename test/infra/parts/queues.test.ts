import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Template } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { arnOf, deployedStack, pathOf, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';
import { statementsIn } from '#test/infra/policy-statements.ts';

const data = deployedStack('data');
const key = theResource(data, 'AWS::KMS::Key');
const queuesOf = (stack: Template) =>
  resourcesOf(stack, 'AWS::SQS::Queue').map((queue) => ({ name: pathOf(queue).at(-2), queue, stack }));
const queues = [...queuesOf(data), ...queuesOf(deployedStack('service'))];
const redrivePolicy = z.object({ RedrivePolicy: z.object({ deadLetterTargetArn: z.unknown() }) });
const retries = z.object({
  RedrivePolicy: z.object({ deadLetterTargetArn: z.unknown(), maxReceiveCount: z.number() }),
  VisibilityTimeout: z.number(),
  MessageRetentionPeriod: z.number(),
});
/** The ARNs of the queues that other queues redrive to. */
const redriveTargets = new Set(
  queues.flatMap(({ queue: { Properties } }) => {
    const source = redrivePolicy.safeParse(Properties);
    return source.success ? [JSON.stringify(source.data.RedrivePolicy.deadLetterTargetArn)] : [];
  }),
);
const namesOf = (stack: Template) => queuesOf(stack).map(({ name }) => name);

describe('the queues of the data stack', () => {
  it('are those whose messages are nowhere else: acknowledged webhooks, and requests from the bus', () => {
    expect(namesOf(data)).toEqual(['WebhooksDlq', 'Webhooks', 'RequestsDlq', 'Requests']);
  });
});

describe('the queues of the service stack', () => {
  it('are those of onboardings, token refreshes and missed runs', () => {
    expect(namesOf(deployedStack('service'))).toEqual([
      'MissedRuns',
      'TokenRefreshesDlq',
      'TokenRefreshes',
      'OnboardingDlq',
      'Onboarding',
    ]);
  });
});

describe('the queues that other queues redrive to', () => {
  it('are the dead-letter queues of the work queues', () => {
    const targets = queues.filter(({ queue }) => redriveTargets.has(JSON.stringify(arnOf(queue))));
    expect(targets.map(({ name }) => name)).toEqual([
      'WebhooksDlq',
      'RequestsDlq',
      'TokenRefreshesDlq',
      'OnboardingDlq',
    ]);
  });
});

/** The name of the rule that may send to a queue. */
const rules: Readonly<Record<string, string>> = { Requests: 'requested', RequestsDlq: 'requested' };

describe('the work queues (promise 9)', () => {
  it.each(queues.filter(({ queue }) => redrivePolicy.safeParse(queue.Properties).success))(
    'keep a message of $name out of the dead-letter queue during six hours of failures, and for longer than that there',
    ({ queue }) => {
      const { RedrivePolicy, VisibilityTimeout, MessageRetentionPeriod } = retries.parse(queue.Properties);
      expect(VisibilityTimeout * RedrivePolicy.maxReceiveCount).toBeGreaterThanOrEqual(6 * 3_600);
      // SQS takes no more.
      expect(RedrivePolicy.maxReceiveCount).toBeLessThanOrEqual(1_000);
      const deadLetters = queues.find(
        (other) => JSON.stringify(arnOf(other.queue)) === JSON.stringify(RedrivePolicy.deadLetterTargetArn),
      );
      expect(deadLetters?.queue.Properties['MessageRetentionPeriod']).toBeGreaterThan(MessageRetentionPeriod);
      expect(MessageRetentionPeriod).toBeGreaterThan(VisibilityTimeout * RedrivePolicy.maxReceiveCount);
    },
  );
});

describe.each(queues)('the queue $name (promise 8)', ({ name, queue, stack }) => {
  const arn = JSON.stringify(arnOf(queue));
  const policies = resourcesOf(stack, 'AWS::SQS::QueuePolicy').filter(
    ({ Properties }) => JSON.stringify(Properties.Queues) === JSON.stringify([refTo(queue)]),
  );
  const statements = policies.flatMap(({ Properties }) => statementsIn(Properties.PolicyDocument));

  it('is encrypted with the key of the data stack', () => {
    expect(resolved(queue.Properties.KmsMasterKeyId)).toEqual(arnOf(key));
  });

  it('refuses every call without TLS', () => {
    expect(statements).toContainEqual({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: ['sqs:*'],
      Resource: [arnOf(queue)],
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  });

  it(`lets other queues redrive to it ${redriveTargets.has(arn) ? 'as a dead-letter queue' : 'never'}`, () => {
    const denied = { redrivePermission: 'denyAll' };
    expect(queue.Properties.RedriveAllowPolicy).toEqual(redriveTargets.has(arn) ? undefined : denied);
  });

  it(`has ${rules[String(name)] === undefined ? 'no policy' : 'only a policy for its rule'} that opens the queue to others`, () => {
    const allowing = statements.filter(({ Effect }) => Effect === 'Allow');
    const rule = rules[String(name)];
    if (rule === undefined) return expect(allowing).toEqual([]);
    const { Action, Principal, Condition } = allowing[0] ?? {};
    expect(allowing).toHaveLength(1);
    expect({ Action, Principal }).toEqual({
      Action: ['sqs:SendMessage'],
      Principal: { Service: 'events.amazonaws.com' },
    });
    const { Properties } = theResource(deployedStack('service'), 'AWS::Events::Rule', 'Requested');
    expect(Properties['Name']).toMatch(new RegExp(`-${rule}$`));
    expect(JSON.stringify(Condition)).toMatch(
      new RegExp(`^\\{"ArnEquals":\\{"aws:SourceArn":.*:rule/.*\\{"Ref":"Bus\\w+"\\},"/${Properties['Name']}"\\]`),
    );
  });
});
