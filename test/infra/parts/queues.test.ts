import { describe, expect, it } from 'vitest';
import { arnOf, deployedStack, pathOf, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';
import { statementsIn } from '#test/infra/policy-statements.ts';

const service = deployedStack('service');
const key = theResource(deployedStack('data'), 'AWS::KMS::Key');
const queues = resourcesOf(service, 'AWS::SQS::Queue').map((queue) => ({ name: pathOf(queue).at(-2), queue }));

describe('the queues of the service', () => {
  it('are those of webhooks, onboardings and token refreshes, and their dead-letter queues', () => {
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

describe.each(queues)('the queue $name (promise 8)', ({ queue }) => {
  const policies = resourcesOf(service, 'AWS::SQS::QueuePolicy').filter(
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
