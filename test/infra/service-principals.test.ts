import { expect, it } from 'vitest';
import * as z from 'zod';
import { everySetting } from '#tools/release/every-setting.ts';
import { createTrialApp } from './trial-app.ts';

/** A service that may act on a resource of the stacks, and what limits the service to this account. */
type Trust = { readonly id: string; readonly service: string; readonly limits: unknown };

/** Services that assume a role, of which no documentation says that they send a condition key. */
const exceptions: Readonly<Record<string, string>> = {
  'lambda.amazonaws.com': 'Passing a role to a function needs iam:PassRole in this account.',
  'backup.amazonaws.com': 'Passing a role to a backup plan needs iam:PassRole in this account.',
};

const resources = z.record(z.string(), z.looseObject({ Type: z.string(), Properties: z.unknown() }));
const permission = z.looseObject({ Principal: z.string() });
const statement = z.looseObject({
  Principal: z.looseObject({ Service: z.unknown() }),
  Condition: z.unknown().optional(),
});
const object = z.record(z.string(), z.unknown());

/** Every service principal in the templates of an environment. */
function trustsOf(values: Readonly<Record<string, unknown>>): readonly Trust[] {
  const { app, data, service } = createTrialApp(values);
  const assembly = app.synth();
  return [data, service].flatMap(({ artifactId }) => {
    const { Resources } = assembly.getStackArtifact(artifactId).template;
    return Object.entries(resources.parse(Resources)).flatMap(([id, { Type, Properties }]) => {
      if (Type !== 'AWS::Lambda::Permission') return statementsIn(Properties).map((found) => ({ id, ...found }));
      const { Principal, ...limits } = permission.parse(Properties);
      return [{ id, service: Principal, limits }];
    });
  });
}

function statementsIn(value: unknown): readonly Omit<Trust, 'id'>[] {
  if (Array.isArray(value)) return value.flatMap(statementsIn);
  const found = statement.safeParse(value);
  if (found.success) {
    const { Principal, Condition } = found.data;
    return [{ service: nameOf(Principal.Service), limits: Condition }];
  }
  const { success, data } = object.safeParse(value);
  return success ? Object.values(data).flatMap(statementsIn) : [];
}

const nameOf = (service: unknown) => (typeof service === 'string' ? service : JSON.stringify(service));

const account = String.raw`\{"Ref":"AWS::AccountId"\}`;

/** By the account itself, or by the ARN of a resource: with the account in it, or of a resource of the stack. */
const limitsToAccount = [
  new RegExp(`"aws:SourceAccount":${account}`),
  new RegExp(`"(?:aws:)?SourceArn":\\{"Fn::Join":.*${account}`),
  /"(?:aws:)?SourceArn":\{"Fn::GetAtt":/,
  new RegExp(`"kms:EncryptionContext:aws:logs:arn":\\{"Fn::Join":.*${account}`),
];

it('every service that may act on a resource of the stacks acts for this account alone, or is an exception', () => {
  const trusts = [...trustsOf({}), ...trustsOf(everySetting)];
  const open = trusts.filter(({ service, limits }) => {
    const written = JSON.stringify(limits) ?? '';
    return !(service in exceptions || limitsToAccount.some((limit) => limit.test(written)));
  });
  expect(open.map(({ id, service }) => `${service} in ${id}`)).toEqual([]);
  const services = ['apigateway', 'events', 'scheduler', 'cloudwatch'].map((name) => `${name}.amazonaws.com`);
  expect(trusts.map(({ service }) => service)).toEqual(
    expect.arrayContaining([...services, ...Object.keys(exceptions)]),
  );
});
