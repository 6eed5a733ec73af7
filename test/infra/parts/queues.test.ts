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
/** The ARNs of the queues that other queues redrive to. */
const redriveTargets = new Set(
  queues.flatMap(({ queue: { Properties } }) => {
    const source = redrivePolicy.safeParse(Properties);
    return source.success ? [JSON.stringify(source.data.RedrivePolicy.deadLetterTargetArn)] : [];
  }),
);
const namesOf = (stack: Template) => queuesOf(stack).map(({ name }) => name);

describe('the queues of the data stack', () => {
  it('are those whose messages are nowhere else: acknowledged webhooks', () => {
    expect(namesOf(data)).toEqual(['WebhooksDlq', 'Webhooks']);
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
    expect(targets.map(({ name }) => name)).toEqual(['WebhooksDlq', 'TokenRefreshesDlq', 'OnboardingDlq']);
  });
});

describe.each(queues)('the queue $name (promise 8)', ({ queue, stack }) => {
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

  it('has no policy that opens the queue to others', () => {
    expect(statements.filter(({ Effect }) => Effect === 'Allow')).toEqual([]);
  });
});
