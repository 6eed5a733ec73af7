import { CfnRule, Fn, type Stack, Token } from 'aws-cdk-lib';
import type { Settings } from '#infra/settings.ts';
import { SettingsError } from '#infra/settings-file/settings-error.ts';

/** An account and a region, if they are known. */
export type Target = { readonly account?: string | undefined; readonly region?: string | undefined };

type Pinned = Pick<Settings, 'account' | 'region'>;

/**
 * Where stacks would be deployed to: the literal environment that the app gives them, otherwise that of the credentials, which the CDK
 * writes into two variables. Without credentials the CDK still names a region, which says nothing.
 */
export function targetOf(env: Target | undefined, variables: Readonly<Record<string, string | undefined>>): Target {
  const account = variables['CDK_DEFAULT_ACCOUNT'];
  return {
    account: literal(env?.account) ?? account,
    region: literal(env?.region) ?? (account === undefined ? undefined : variables['CDK_DEFAULT_REGION']),
  };
}

/** The text, unless it stands for what is known only in the deployment. */
export const literal = (text: string | undefined) => (Token.isUnresolved(text) ? undefined : text);

/** Refuses a target that the settings do not pin. An unknown one passes: nothing can be deployed without credentials. @throws {SettingsError} */
export function refuseOtherTarget(pinned: Pinned, target: Target): void {
  const remedies = {
    account: `use credentials of the account ${pinned.account}, such as AWS_PROFILE=NAME`,
    region: `set AWS_REGION=${pinned.region}`,
  };
  const faults = (['account', 'region'] as const)
    .filter((key) => pinned[key] !== undefined && target[key] !== undefined && pinned[key] !== target[key])
    .map((key) => `  - ${key}: ${pinned[key]} in the settings, ${target[key]} here. To deploy, ${remedies[key]}.`);
  if (faults.length === 0) return;
  throw new SettingsError(
    [
      'This is not the target of the environment:',
      ...faults,
      'Change the settings only if the environment moves.',
    ].join('\n'),
  );
}

/** Has CloudFormation refuse the template elsewhere, before it changes a resource, with any tool of deployment. */
export function pinTarget(stack: Stack, { account, region }: Pinned): void {
  addRule(stack, 'Account', account);
  addRule(stack, 'Region', region);
}

function addRule(stack: Stack, name: 'Account' | 'Region', pinned: string | undefined): void {
  if (pinned === undefined) return;
  const actual = Fn.ref(name === 'Account' ? 'AWS::AccountId' : 'AWS::Region');
  new CfnRule(stack, `Pinned${name}`, {
    assertions: [
      {
        assert: Fn.conditionEquals(actual, pinned),
        assertDescription: `The settings of the environment pin ${name.toLowerCase()} ${pinned}.`,
      },
    ],
  });
}
