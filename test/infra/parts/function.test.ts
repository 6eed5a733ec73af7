import { describe, expect, it } from 'vitest';
import * as z from 'zod';
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
const all = functions.map(({ Properties }) => settings.parse(Properties));

describe.each(byName)('design: there is one way to make a function: $name', ({ lambda }) => {
  const statements = statementsOf(service, roleOf(service, lambda));

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

  it('takes no concurrency from the account', () => {
    expect(lambda.Properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  it('says what it does', () => {
    expect(lambda.Properties.Description).toMatch(/^[A-Z].{20,}/);
  });

  it('runs as a role that Lambda alone may assume, with no managed policy', () => {
    const { Properties } = roleOf(service, lambda);
    expect(Properties).toMatchObject({
      AssumeRolePolicyDocument: {
        Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } }],
      },
    });
    expect(Properties).not.toHaveProperty('ManagedPolicyArns');
    expect(Properties).not.toHaveProperty('Policies');
  });

  it('may do no action that is named by a wildcard', () => {
    expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
  });

  it('may do nothing on every resource but send traces', () => {
    const anywhere = statements.filter(({ Resource }) => JSON.stringify(Resource).includes('*'));
    expect(anywhere.flatMap(({ Action }) => Action)).toEqual(['xray:PutTraceSegments', 'xray:PutTelemetryRecords']);
  });

  it('may write to no log group but its own', () => {
    const { LogGroup } = settings.parse(lambda.Properties).LoggingConfig;
    const logs = statements.filter(({ Action }) => Action.some((action) => action.startsWith('logs:')));
    expect(logs).toHaveLength(1);
    expect(logs[0]?.Resource).toEqual([{ 'Fn::GetAtt': [LogGroup.Ref, 'Arn'] }]);
  });

  it('finds no secret in its environment, at most where one is', () => {
    const { Variables } = settings.parse(lambda.Properties).Environment;
    const secrets = resourcesOf(deployedStack('data'), 'AWS::SecretsManager::Secret');
    for (const [name, value] of Object.entries(Variables)) {
      const text = JSON.stringify(resolved(value));
      expect(text, name).not.toContain('{{resolve:');
      if (secrets.some(({ id }) => text.includes(id))) expect(secrets.map(refTo), name).toContainEqual(resolved(value));
    }
  });
});

describe('design: functions share nothing that is their own', () => {
  it('there are functions', () => {
    expect(functions.length).toBeGreaterThan(1);
  });

  it('each has code of its own', () => {
    expect(new Set(all.map(({ Code }) => Code.S3Key)).size).toBe(functions.length);
  });

  it('each has a log group of its own', () => {
    expect(new Set(all.map(({ LoggingConfig }) => LoggingConfig.LogGroup.Ref)).size).toBe(functions.length);
  });

  it('each has a role of its own', () => {
    expect(new Set(functions.map((lambda) => roleOf(service, lambda).id)).size).toBe(functions.length);
  });

  it('each role belongs to a function, or to a schedule', () => {
    const schedules = resourcesOf(service, 'AWS::Scheduler::Schedule');
    expect(resourcesOf(service, 'AWS::IAM::Role')).toHaveLength(functions.length + schedules.length);
  });
});
