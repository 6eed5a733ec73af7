import { describe, expect, it } from 'vitest';
import { stackNamesOf } from '#cli/deployment/deployment.ts';
import { resourceNames } from '#cli/deployment/resource-names.ts';
import { type Policy, policyOf, readPolicyPlace, roles } from '#cli/policy/permissions.ts';
import { isAllowed } from '#test/cli/policy/is-allowed.ts';
import { trialResources } from '#test/infra/shared-trial-apps.ts';
import { everySetting } from '#tools/release/every-setting.ts';

/** In characters without white space: IAM takes no longer managed policy, and no more in all inline policies of a role. */
const maxLengths = { managed: 6_144, inline: 10_240 };

/** As long as a name may be. */
const environment = 'pre-production-of-europe-region';
const region = 'us-gov-west-1';
const account = '111122223333';
const uuid = '12345678-1234-1234-1234-123456789012';

/** In characters: CloudFormation shortens a longer name. */
const maxNameLengths: Readonly<Record<string, number>> = {
  'AWS::Events::Archive': 48,
  'AWS::Lambda::Function': 64,
  'AWS::Scheduler::Schedule': 64,
  'AWS::SQS::Queue': 80,
};

/** A physical id as long as CloudFormation makes it. */
function physicalIdOf(stack: string, type: string, logicalId: string): string {
  if (type === 'AWS::Lambda::EventSourceMapping' || type === 'AWS::KMS::Key') return uuid;
  if (type === 'AWS::SecretsManager::Secret')
    return `arn:aws-us-gov:secretsmanager:${region}:${account}:secret:${logicalId}-1A2B3C4D5E6F7-AbCdEf`;
  if (type === 'AWS::Events::EventBus') return `drawbridge-${environment}`;
  if (logicalId.includes('AccessLogs')) return `/aws/vendedlogs/apigateway/${stack}-1a2b3c4d`;
  return `${stack}-${logicalId}-1A2B3C4D5E6F7`.slice(0, maxNameLengths[type]);
}

/** The policies of both roles for an environment with these settings. */
async function policiesOf(
  name: string,
  values: Readonly<Record<string, unknown>>,
  key?: string,
): Promise<readonly Policy[]> {
  const ofStacks = trialResources(values);
  const listOf = (stack: 'data' | 'service') =>
    ofStacks[stack].map(({ Type: type, id: logicalId }) => ({
      logicalId,
      type,
      physicalId: physicalIdOf(stackNamesOf(name)[stack], type, logicalId),
    }));
  const all = { data: listOf('data'), service: listOf('service') };
  const place = await readPolicyPlace({
    environment: name,
    region,
    outputs: new Map([
      ['ApiUrl', `https://a1b2c3d4e5.execute-api.${region}.amazonaws.com`],
      ...(key === undefined ? [] : [['KeyArn', key] as const]),
    ]),
    resources: async () => ({
      idOf: (kind, wanted) => {
        const { stack, type, path } = resourceNames(kind, wanted);
        const isMeant = new RegExp(`^${path}[\\dA-F]{8}$`);
        return all[stack].find((one) => one.type === type && isMeant.test(one.logicalId))?.physicalId ?? '';
      },
      ofType: (type) =>
        type === 'AWS::KMS::Key' && key !== undefined
          ? []
          : Object.values(all).flatMap((list) => list.filter((one) => one.type === type)),
    }),
  });
  return roles.map((role) => policyOf(role, place));
}

describe('drawbridge policy', () => {
  it.each([
    ['the default settings', {}],
    ['every setting', everySetting],
    ['a switch of keys under way', { keys: 'both' }],
  ])('prints policies that are no longer than IAM takes, with the longest names and %s', async (_settings, values) => {
    expect(environment).toHaveLength(31);
    const lengths = (await policiesOf(environment, values)).map((policy) => JSON.stringify(policy).length);
    expect(lengths.filter((length) => length > maxLengths.managed)).toEqual([]);
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(maxLengths.inline);
  });

  it('allows an operator to use the key that the construct was given', async () => {
    const key = `arn:aws-us-gov:kms:${region}:${account}:key/${uuid}`;
    const [, operator] = await policiesOf('eu', {}, key);
    const ofKms = operator?.Statement.filter(({ Action }) => Action.some((action) => action.startsWith('kms:')));
    expect(ofKms?.map(({ Resource }) => Resource)).toEqual([[key]]);
  });

  it('allows queries of every log group of the environment, and of no other environment', async () => {
    const policies = await policiesOf('eu', {});
    const canQuery = (name: string) =>
      isAllowed(
        {
          action: 'logs:StartQuery',
          resource: `arn:aws-us-gov:logs:${region}:${account}:log-group:${name}`,
          context: {},
        },
        policies,
      );
    const namesOf = (stack: string) =>
      trialResources()
        .service.filter(({ Type }) => Type === 'AWS::Logs::LogGroup')
        .map(({ Type, id }) => physicalIdOf(stack, Type, id));
    expect(namesOf('drawbridge-eu-service').filter((name) => !canQuery(name))).toEqual([]);
    expect(namesOf('drawbridge-eu-service-2-service').filter(canQuery)).toEqual([]);
  });
});
