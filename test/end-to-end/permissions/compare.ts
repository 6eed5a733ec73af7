import { pollingPermissions } from '#sandbox/aws/permissions/authorize.ts';
import { statementsOf } from '#sandbox/aws/permissions/function-permissions.ts';
import { type Permission, requestedPermissions } from '#sandbox/aws/permissions/requested-permissions.ts';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import type { Use } from './recordings.ts';

export type Comparison = {
  readonly functionName: string;
  /** `action on resource`, in alphabetical order. */
  readonly used: readonly string[];
  readonly unused: readonly string[];
  readonly missing: readonly string[];
};

/** Compares what the policies allow each function with what it used. Logs and traces are left out: Lambda writes them. */
export function comparePermissions(blueprint: Blueprint, uses: readonly Use[]): readonly Comparison[] {
  const polling = pollingPermissions(blueprint).flatMap(([caller, permission]) =>
    [permission, ...onKeyOf(blueprint, permission)].map((needed) => ({ caller, ...needed })),
  );
  return blueprint.functions.map(({ name }) => {
    const allowed = distinct(allowedPermissions(blueprint, name).map(textOf));
    const used = distinct([...uses, ...polling].filter(({ caller }) => caller === name).map(textOf));
    return {
      functionName: name,
      used,
      unused: allowed.filter((permission) => !used.includes(permission)),
      missing: used.filter((permission) => !allowed.includes(permission)),
    };
  });
}

/** What the policies allow a function, without logs and traces. */
function allowedPermissions(blueprint: Blueprint, functionName: string): readonly Permission[] {
  const all = statementsOf(blueprint, functionName)
    .flatMap(({ Action, Resource }) => Action.flatMap((action) => Resource.map((resource) => ({ action, resource }))))
    .filter(({ action }) => !/^(?:logs|xray):/.test(action));
  return [...new Map(all.map((permission) => [textOf(permission), permission])).values()];
}

/** To receive a message is to decrypt it. */
function onKeyOf(blueprint: Blueprint, { action, resource }: Permission): readonly Permission[] {
  const [service, operation = ''] = action.split(':');
  const queue = blueprint.queues.find(({ arn }) => arn === resource);
  if (service !== 'sqs' || queue === undefined) return [];
  return requestedPermissions(blueprint, { service: 'sqs', operation, input: { QueueUrl: queue.ref } }).slice(1);
}

function textOf({ action, resource }: Permission): string {
  return `${action} on ${resource}`;
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}
