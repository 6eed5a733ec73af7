import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import {
  deployerPolicy,
  executionPolicy,
  type Policy,
  UnknownTypeError,
} from '#infra/deployment-policy/deployment-policies.ts';
import { createTrialApp } from '#test/infra/trial-app.ts';
import { everySetting } from '#tools/release/every-setting.ts';

/** In characters without white space: IAM takes no longer policy. */
const maxLength = 6_144;

/** The types of all resources that an environment can have: with default settings, and with every setting. */
function typesOf(stack: 'data' | 'service'): readonly string[] {
  const apps = [createTrialApp(), createTrialApp(everySetting)];
  return apps.flatMap(({ app, ...stacks }) => {
    const { template } = app.synth().getStackArtifact(stacks[stack].artifactId);
    return Object.values(resources.parse(template).Resources).map(({ Type }) => Type);
  });
}

const resources = z.object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) });

const written = (policy: Policy) => `${JSON.stringify(policy, undefined, 2)}\n`;
const file = (name: string) => join(repositoryRoot, 'docs/reference/deployment', name);

describe('the policies for a deployment', () => {
  it.each(['data', 'service'] as const)(
    'name what CloudFormation needs for each resource of the %s stack',
    async (stack) => {
      const policy = executionPolicy(typesOf(stack));
      expect(JSON.stringify(policy).length).toBeLessThanOrEqual(maxLength);
      await expect(written(policy)).toMatchFileSnapshot(file(`execution-policy-${stack}.json`));
    },
  );

  it('name what an engineer needs who deploys', async () => {
    await expect(written(deployerPolicy())).toMatchFileSnapshot(file('deployer-policy.json'));
  });

  it('cannot be written for a resource of an unknown type', () => {
    expect(() => executionPolicy(['AWS::S3::Bucket'])).toThrow(UnknownTypeError);
  });

  it('allow all that API Gateway needs to write access logs', () => {
    const actions = executionPolicy(['AWS::ApiGatewayV2::Stage']).Statement.flatMap(({ Action }) => Action);
    expect(actions.filter((action) => /^logs:\w+LogDeliver/.test(action))).toEqual(
      ['Create', 'Delete', 'Get', 'List', 'Update'].map(
        (verb) => `logs:${verb}LogDeliver${verb === 'List' ? 'ies' : 'y'}`,
      ),
    );
  });

  it('let who deploys invoke Register, and no other function', () => {
    const { app, service } = createTrialApp();
    const { template } = app.synth().getStackArtifact(service.artifactId);
    const ids = Object.entries(resources.parse(template).Resources).flatMap(([id, { Type }]) =>
      Type === 'AWS::Lambda::Function' ? [id] : [],
    );
    const invoked = deployerPolicy().Statement.flatMap(({ Action, Resource }) =>
      Action.includes('lambda:InvokeFunction') ? [Resource].flat().map((arn) => arn.split(':').at(-1) ?? '') : [],
    );
    // CloudFormation keeps 24 characters of the names of the stack and of the resource.
    const nameOf = (id: string) => 'drawbridge-production-service'.slice(0, 24).concat(`-${id.slice(0, 24)}-1A2B3C`);
    expect(ids.filter((id) => invoked.some((pattern) => matchesGlob(nameOf(id), pattern)))).toEqual([
      expect.stringMatching(/^WebhookIngestRegisterFunction/),
    ]);
  });

  it('allow no change of a role outside the stacks', () => {
    const ofIam = executionPolicy(typesOf('service')).Statement.filter(({ Action }) =>
      Action.some((one) => one.startsWith('iam:')),
    );
    expect(ofIam.map(({ Resource }) => Resource)).toEqual([
      'arn:aws:iam::*:role/drawbridge-*',
      'arn:aws:iam::*:role/drawbridge-*',
      'arn:aws:iam::*:role/aws-service-role/*',
    ]);
  });
});
