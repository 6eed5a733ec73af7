import { describe, expect, it } from 'vitest';
import { dataActions, stackTypes, unsafeExecutionPolicy } from '#cli/policy/deployment/execution-policy.ts';
import { deploymentPolicies, deploymentPolicyNames } from '#cli/policy/deployment-policies.ts';
import { isAllowed } from '#test/cli/policy/is-allowed.ts';
import { trialResources, typesOfStack } from '#test/infra/shared-trial-apps.ts';

/** In characters without white space: IAM takes no longer policy. */
const maxLength = 6_144;

const scope = { partition: 'aws', account: '111122223333', environment: 'production' } as const;

describe('a policy for a deployment', () => {
  it.each(['data', 'service'] as const)('is for the types of resources that the %s stack has', (stack) => {
    expect(typesOfStack(stack)).toEqual(stackTypes[stack].toSorted());
  });

  it.each(deploymentPolicyNames)('is no longer than IAM takes, with the longest names: %s', (name) => {
    const longest = {
      partition: 'aws-us-gov',
      account: '111122223333',
      environment: 'pre-production-of-europe-region',
    } as const;
    expect(JSON.stringify(deploymentPolicies[name](longest)).length).toBeLessThanOrEqual(maxLength);
  });

  it.each(deploymentPolicyNames)('names no other partition than the one that is asked for: %s', (name) => {
    const text = JSON.stringify(deploymentPolicies[name]({ ...scope, partition: 'aws-cn' }));
    expect(
      [...text.matchAll(/arn:([^:]+):/g)].map(([, partition]) => partition).filter((one) => one !== 'aws-cn'),
    ).toEqual([]);
  });

  it.each(['data', 'service'] as const)('is no longer than IAM takes when it is unsafe: %s', (stack) => {
    expect(JSON.stringify(unsafeExecutionPolicy(typesOfStack(stack))).length).toBeLessThanOrEqual(maxLength);
  });

  it('cannot be written for a resource of an unknown type', () => {
    expect(() => unsafeExecutionPolicy(['AWS::S3::Bucket'])).toThrow('Add the permissions of AWS::S3::Bucket');
  });

  it.each(['execution-data', 'execution-service', 'execution-roles', 'deployer'] as const)(
    'allows no action on data: %s',
    (name) => {
      const actions = deploymentPolicies[name](scope).Statement.flatMap(({ Action }) => Action);
      const others =
        /^(?:sqs:.*Message|lambda:Invoke|logs:(?:FilterLogEvents|GetLogEvents|StartQuery)|events:PutEvents)/;
      expect(actions.filter((action) => dataActions.test(action) || others.test(action))).toEqual([]);
    },
  );

  it('lets who runs the first commands invoke Register, and no other function', () => {
    const functions = trialResources().service.filter(({ Type }) => Type === 'AWS::Lambda::Function');
    const policy = deploymentPolicies['first-run'](scope);
    // CloudFormation keeps 24 characters of the names of the stack and of the resource.
    const nameOf = (id: string) => `${'drawbridge-production-service'.slice(0, 24)}-${id.slice(0, 24)}-1A2B3C`;
    const isInvoked = (id: string) =>
      isAllowed(
        {
          action: 'lambda:InvokeFunction',
          resource: `arn:aws:lambda:eu-central-1:111122223333:function:${nameOf(id)}`,
          context: {},
        },
        [policy],
      );
    expect(functions.map(({ id }) => id).filter(isInvoked)).toEqual([
      expect.stringMatching(/^WebhookIngestRegisterFunction/),
    ]);
  });
});
