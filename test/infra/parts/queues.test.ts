import { describe, expect, it } from 'vitest';
import type { Template } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { arnOf, deployedStack, pathOf, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';
import { statementsIn } from '#test/infra/policy-statements.ts';

const data = deployedStack('data');
const key = theResource(data, 'AWS::KMS::Key');
const queuesOf = (stack: Template) =>
  resourcesOf(stack, 'AWS::SQS::Queue').map((queue) => ({ name: pathOf(queue).at(-2), queue, stack }));
const queues = [...queuesOf(data), ...queuesOf(deployedStack('service'))];
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

describe.each(queues)('the queue $name (promise 8)', ({ queue, stack }) => {
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

  it('has no policy that opens the queue to others', () => {
    expect(statements.filter(({ Effect }) => Effect === 'Allow')).toEqual([]);
  });
});
