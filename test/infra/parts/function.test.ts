import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { deployedStack, pathOf, refTo, resolved, resourcesOf } from '#test/infra/deployed-stack.ts';
import { roleOf, statementsOf } from '#test/infra/policy-statements.ts';

const service = deployedStack('service');
const functions = resourcesOf(service, 'AWS::Lambda::Function');
const byName = functions.map((lambda) => ({ name: pathOf(lambda).slice(1, -2).join('/'), lambda }));
const settings = z.object({
  Code: z.object({ S3Key: z.string() }),
  LoggingConfig: z.object({ LogGroup: z.object({ Ref: z.string() }) }),
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
  Timeout: z.number(),
});
const architecture = readFileSync(join(repositoryRoot, 'docs/explanation/architecture.md'), 'utf8');
const all = functions.map(({ Properties }) => settings.parse(Properties));

describe.each(byName)('the deployed function $name', ({ name, lambda }) => {
  const statements = statementsOf(service, roleOf(service, lambda));

  it('has a row in docs/explanation/architecture.md', () => {
    expect(architecture).toContain(`\n| \`${name.split('/').at(-1)}\` |`);
  });

  it('runs on Node 24 and arm64, from its bundle', () => {
    expect(lambda.Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
    expect(lambda.Properties).not.toHaveProperty('Layers');
  });

  it("logs in Lambda's JSON format, to a log group with a retention", () => {
    const { LogGroup } = settings.parse(lambda.Properties).LoggingConfig;
    const logGroup = resourcesOf(service, 'AWS::Logs::LogGroup').find(({ id }) => id === LogGroup.Ref);
    expect(lambda.Properties.LoggingConfig).toMatchObject({ LogFormat: 'JSON' });
    expect(logGroup?.Properties).toMatchObject({ RetentionInDays: expect.any(Number) });
  });

  it("is traced by Lambda's own tracer", () => {
    expect(lambda.Properties).toMatchObject({ TracingConfig: { Mode: 'Active' } });
  });

  it('reserves no concurrency of the account', () => {
    expect(lambda.Properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  it('has a description of its purpose', () => {
    expect(lambda.Properties.Description).toMatch(/^[A-Z].{20,}/);
  });

  it('has a role that only Lambda may assume, without a managed policy', () => {
    const { Properties } = roleOf(service, lambda);
    expect(Properties).toMatchObject({
      AssumeRolePolicyDocument: {
        Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } }],
      },
    });
    expect(Properties).not.toHaveProperty('ManagedPolicyArns');
    expect(Properties).not.toHaveProperty('Policies');
  });

  it('has no permission with a wildcard action', () => {
    expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
  });

  it('has no permission on all resources except to send traces', () => {
    const anywhere = statements.filter(({ Resource }) => JSON.stringify(Resource).includes('*'));
    expect(anywhere.flatMap(({ Action }) => Action)).toEqual(['xray:PutTraceSegments', 'xray:PutTelemetryRecords']);
  });

  it('may only write to its own log group', () => {
    const { LogGroup } = settings.parse(lambda.Properties).LoggingConfig;
    const logs = statements.filter(({ Action }) => Action.some((action) => action.startsWith('logs:')));
    expect(logs).toHaveLength(1);
    expect(logs[0]?.Resource).toEqual([{ 'Fn::GetAtt': [LogGroup.Ref, 'Arn'] }]);
  });

  it('has no secret in its environment, only ids of secrets', () => {
    const { Variables } = settings.parse(lambda.Properties).Environment;
    const secrets = resourcesOf(deployedStack('data'), 'AWS::SecretsManager::Secret');
    for (const [name, value] of Object.entries(Variables)) {
      const text = JSON.stringify(resolved(value));
      expect(text, name).not.toContain('{{resolve:');
      if (secrets.some(({ id }) => text.includes(id))) expect(secrets.map(refTo), name).toContainEqual(resolved(value));
    }
  });
});

describe('the deployed functions', () => {
  it('exist in the deployed stack', () => {
    expect(functions.length).toBeGreaterThan(1);
  });

  it('have a separate bundle each', () => {
    expect(new Set(all.map(({ Code }) => Code.S3Key)).size).toBe(functions.length);
  });

  it('have a separate log group each', () => {
    expect(new Set(all.map(({ LoggingConfig }) => LoggingConfig.LogGroup.Ref)).size).toBe(functions.length);
  });

  it('have a separate role each', () => {
    expect(new Set(functions.map((lambda) => roleOf(service, lambda).id)).size).toBe(functions.length);
  });

  it('own every role that no schedule owns', () => {
    const schedules = resourcesOf(service, 'AWS::Scheduler::Schedule');
    expect(resourcesOf(service, 'AWS::IAM::Role')).toHaveLength(functions.length + schedules.length);
  });
});
