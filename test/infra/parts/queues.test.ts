import { describe, expect, it } from 'vitest';
import { arnOf, deployedStack, pathOf, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';
import { statementsIn } from '#test/infra/policy-statements.ts';

const service = deployedStack('service');
const key = theResource(deployedStack('data'), 'AWS::KMS::Key');
const queues = resourcesOf(service, 'AWS::SQS::Queue').map((queue) => ({ name: pathOf(queue).at(-2), queue }));

describe('design: queues are the webhooks, the onboardings, the refreshes of the token, and the dead letters of these and of schedules', () => {
  it('has no other', () => {
    expect(queues.map(({ name }) => name)).toEqual([
      'MissedRuns',
      'TokenRefreshesDlq',
      'TokenRefreshes',
      'OnboardingDlq',
      'Onboarding',
      'WebhooksDlq',
      'Webhooks',
    ]);
  });
});

describe.each(queues)('promise 8: what waits in a queue is protected: $name', ({ queue }) => {
  const policies = resourcesOf(service, 'AWS::SQS::QueuePolicy').filter(
    ({ Properties }) => JSON.stringify(Properties.Queues) === JSON.stringify([refTo(queue)]),
  );
  const statements = policies.flatMap(({ Properties }) => statementsIn(Properties.PolicyDocument));

  it('is encrypted with the key of the data stack', () => {
    expect(resolved(queue.Properties.KmsMasterKeyId)).toEqual(arnOf(key));
  });

  it('is refused without TLS, whoever calls and whatever for', () => {
    expect(statements).toContainEqual({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: ['sqs:*'],
      Resource: [arnOf(queue)],
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  });

  it('is open to nobody by its own policy', () => {
    expect(statements.filter(({ Effect }) => Effect === 'Allow')).toEqual([]);
  });
});
