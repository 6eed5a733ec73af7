import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  dataActions,
  executionPolicy,
  stackTypes,
  UnknownTypeError,
  unsafeExecutionPolicy,
} from '#cli/policy/deployment/execution-policy.ts';
import type { Policy } from '#cli/policy/deployment/policy.ts';
import { deploymentPolicies, deploymentPolicyNames } from '#cli/policy/deployment-policies.ts';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { isAllowed } from '#test/cli/policy/is-allowed.ts';
import { createTrialApp } from '#test/infra/trial-app.ts';
import { everySetting } from '#tools/release/every-setting.ts';

/** In characters without white space: IAM takes no longer policy. */
const maxLength = 6_144;

/** The types of all resources that an environment can have: with default settings, and with every setting. */
function typesOf(stack: 'data' | 'service'): readonly string[] {
  const apps = [createTrialApp(), createTrialApp(everySetting)];
  const types = apps.flatMap(({ app, ...stacks }) => {
    const { template } = app.synth().getStackArtifact(stacks[stack].artifactId);
    return Object.values(resources.parse(template).Resources).map(({ Type }) => Type);
  });
  return [...new Set(types)].toSorted();
}

const resources = z.object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) });

const written = (policy: Policy) => `${JSON.stringify(policy, undefined, 2)}\n`;
const file = (name: string) => join(repositoryRoot, 'docs/reference/deployment', name);
const scope = { partition: 'aws', account: '111122223333', environment: 'production' } as const;

describe('the policies for a deployment', () => {
  it.each(['data', 'service'] as const)('are for the types of resources that the %s stack has', (stack) => {
    expect(typesOf(stack)).toEqual(stackTypes[stack].toSorted());
  });

  it.each(deploymentPolicyNames)('are what the reference shows: %s', async (name) => {
    await expect(written(deploymentPolicies[name](scope))).toMatchFileSnapshot(file(`${name}.json`));
  });

  it.each(deploymentPolicyNames)('are no longer than IAM takes, with the longest names: %s', (name) => {
    const longest = {
      partition: 'aws-us-gov',
      account: '111122223333',
      environment: 'pre-production-of-europe',
    } as const;
    expect(JSON.stringify(deploymentPolicies[name](longest)).length).toBeLessThanOrEqual(maxLength);
  });

  it.each(deploymentPolicyNames)('name no other partition than the one that is asked for: %s', (name) => {
    const text = JSON.stringify(deploymentPolicies[name]({ ...scope, partition: 'aws-cn' }));
    expect(
      [...text.matchAll(/arn:([^:]+):/g)].map(([, partition]) => partition).filter((one) => one !== 'aws-cn'),
    ).toEqual([]);
  });

  it.each(['data', 'service'] as const)('that are unsafe are those of 0.2.0 for the %s stack', async (stack) => {
    const policy = unsafeExecutionPolicy(typesOf(stack));
    expect(JSON.stringify(policy).length).toBeLessThanOrEqual(maxLength);
    await expect(written(policy)).toMatchFileSnapshot(file(`unsafe-execution-${stack}.json`));
  });

  it('cannot be written for a resource of an unknown type', () => {
    expect(() => unsafeExecutionPolicy(['AWS::S3::Bucket'])).toThrow(UnknownTypeError);
  });

  it('allow all that API Gateway needs to write access logs', () => {
    const actions = executionPolicy('service', scope).Statement.flatMap(({ Action }) => Action);
    expect(actions.filter((action) => /^logs:\w+LogDeliver/.test(action))).toEqual(
      ['Create', 'Delete', 'Get', 'List', 'Update'].map(
        (verb) => `logs:${verb}LogDeliver${verb === 'List' ? 'ies' : 'y'}`,
      ),
    );
  });

  it.each(['execution-data', 'execution-service', 'execution-roles', 'deployer'] as const)(
    'allow no action on data: %s',
    (name) => {
      const actions = deploymentPolicies[name](scope).Statement.flatMap(({ Action }) => Action);
      const others =
        /^(?:sqs:.*Message|lambda:Invoke|logs:(?:FilterLogEvents|GetLogEvents|StartQuery)|events:PutEvents)/;
      expect(actions.filter((action) => dataActions.test(action) || others.test(action))).toEqual([]);
    },
  );

  it('let who runs the first commands invoke Register, and no other function', () => {
    const { app, service } = createTrialApp();
    const { template } = app.synth().getStackArtifact(service.artifactId);
    const ids = Object.entries(resources.parse(template).Resources).flatMap(([id, { Type }]) =>
      Type === 'AWS::Lambda::Function' ? [id] : [],
    );
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
    expect(ids.filter(isInvoked)).toEqual([expect.stringMatching(/^WebhookIngestRegisterFunction/)]);
  });
});
