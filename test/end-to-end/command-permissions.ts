import { inject } from 'vitest';
import { type Policy, roles } from '#cli/policy/permissions.ts';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { matchesIam } from '#sandbox/aws/permissions/function-permissions.ts';
import { requestedPermissions } from '#sandbox/aws/permissions/requested-permissions.ts';
import type { HostedSandbox } from './hosted-sandbox.ts';
import { readTestBlueprint } from './permissions/record-uses.ts';
import { runDrawbridge } from './run-drawbridge.ts';

export type UsedPermissions = {
  readonly onAwsCall: (moment: AwsCallMoment) => void;
  readonly fetch: typeof fetch;
  /** What the commands did and the policy does not allow. */
  readonly deniedBy: (policy: Pick<Policy, 'Statement'>) => readonly string[];
  /** Actions of the policy that no command used. */
  readonly unusedOf: (policy: Pick<Policy, 'Statement'>) => readonly string[];
};

/** Who signs the calls of the commands: the laptop's key, and the one of a test that plays an operator on AWS. */
const commandKeys: ReadonlySet<string | undefined> = new Set(['laptop', 'operator']);

/** Collects what commands ask of AWS and of the API, as IAM names it. */
export function collectPermissions(): UsedPermissions {
  const used = new Map<string, { readonly action: string; readonly resource: string }>();
  const add = (action: string, resource: string) => used.set(`${action} ${resource}`, { action, resource });

  const isAllowed = (statements: Policy['Statement'], action: string, resource: string) =>
    statements.some(
      ({ Action, Resource }) =>
        Action.includes(action) && (resource === '*' || Resource.some((pattern) => matches(pattern, resource))),
    );

  return {
    onAwsCall: ({ when, accessKeyId, service, operation, input }) => {
      if (when !== 'before' || !commandKeys.has(accessKeyId)) return;
      const blueprint = readTestBlueprint(inject('assembly'));
      for (const { action, resource } of requestedPermissions(blueprint, { service, operation, input: input() }))
        add(action, resource);
    },
    fetch: (input, init) => {
      const url = new URL(String(input instanceof Request ? input.url : input));
      // The sandbox platform asks for no permission, and the route of webhooks for the secret.
      if (!/^\/(?:control|webhooks)\//.test(url.pathname))
        add('execute-api:Invoke', `${init?.method ?? 'GET'}${url.pathname}`);
      return fetch(input, init);
    },
    deniedBy: ({ Statement }) =>
      [...used.values()]
        .filter(({ action, resource }) => !isAllowed(Statement, action, resource))
        .map(({ action, resource }) => `${action} ${resource}`),
    unusedOf: ({ Statement }) => {
      const actions = new Set([...used.values()].map(({ action }) => action));
      return [...new Set(Statement.flatMap(({ Action }) => Action))].filter((action) => !actions.has(action));
    },
  };
}

/** What an operator may do: the printed policies of both roles. */
export async function readOperatorPolicies(sandbox: Pick<HostedSandbox, 'endpointsFile'>): Promise<Policy> {
  const printed = await Promise.all(roles.map((role) => runDrawbridge(sandbox, ['policy', role, '--json'])));
  const policies = printed.map(({ json }) => json() as Policy);
  return { Version: '2012-10-17', Statement: policies.flatMap(({ Statement }) => Statement) };
}

/** A route, and the name of a queue that no stack declares, are the last part of an ARN. */
function matches(pattern: string, resource: string): boolean {
  const [, , service] = pattern.split(':');
  const last = service === 'execute-api' ? pattern.split('/').slice(2).join('/') : pattern.split(':').at(-1);
  return [pattern, last ?? pattern].some((one) => matchesIam(one, resource));
}
