import { generated } from '#docs/generate/generated.ts';
import { grantsOf } from '#test/infra/stacks/granted-permissions.ts';
import type { ReadableResource } from '#test/infra/stacks/readable-stack.ts';

/** The resources of both stacks. */
type Stacks = { readonly data: readonly ReadableResource[]; readonly service: readonly ReadableResource[] };

/** `docs/reference/permissions.md`: what the policy of each role allows. */
export function writePermissions(stacks: Stacks): string {
  const sections = (type: string, kind = '') =>
    stacks.service
      .filter(({ Type }) => Type === type)
      .map(({ name }) => ({ title: lastOf(name), role: `${name}/Role` }))
      .toSorted((one, other) => (one.title < other.title ? -1 : 1))
      .flatMap(({ title, role }) => [`## ${kind}${title}`, writeActions(stacks, role)]);
  return `${[preface, ...sections('AWS::Lambda::Function'), ...sections('AWS::Scheduler::Schedule', 'Schedule ')].join('\n\n')}\n`;
}

function writeActions(stacks: Stacks, role: string): string {
  const granted = grantsOf(stacks.service, role)
    .filter(({ action }) => !/^(?:logs|xray):/.test(action))
    .map(({ effect, action, resource, condition }) => {
      const when = condition === undefined ? '' : ` when \`${JSON.stringify(condition)}\``;
      return { action: `${effect === 'Deny' ? 'never ' : ''}\`${action}\``, on: nameOf(stacks, resource) + when };
    });
  return [...Map.groupBy(granted, ({ on }) => on)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([on, all]) => `- ${on}: ${writeSorted(all.map(({ action }) => action))}`)
    .join('\n');
}

const writeSorted = (actions: readonly string[]) => actions.toSorted().join(', ');

const kinds: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'table',
  'AWS::Events::EventBus': 'bus',
  'AWS::Lambda::Function': 'function',
  'AWS::SQS::Queue': 'queue',
  'AWS::SecretsManager::Secret': 'secret',
};

/** In words, as the laptop calls it: the names in an account hold the environment and a random part. */
function nameOf({ data, service }: Stacks, resource: string): string {
  const [, name, index] = /^<([^.<>]+)(?:\.Arn)?>(?:\/index\/(\w+))?$/.exec(resource) ?? [];
  const found = [...data, ...service].find((one) => one.name === name);
  if (found?.name === 'Key') return 'the key';
  const kind = kinds[found?.Type ?? ''];
  // A part of a resource, or more than one: as the policy names it.
  if (found === undefined || kind === undefined) return `\`${resource}\``;
  const named = `${kind} \`${kind === 'function' ? lastOf(found.name) : kebabCase(lastOf(found.name))}\``;
  return index === undefined ? named : `index \`${index}\` of ${named}`;
}

const lastOf = (path: string) => path.split('/').at(-1) ?? path;
const kebabCase = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

const preface = `${generated}

# Permissions

*For auditors and engineers who review what the functions may do.* The policy of each function allows these actions and no others, each on
one resource. Every function may write to its own log group too, and send traces to X-Ray where the setting \`tracing\` is not off. At the
end are the roles by which EventBridge Scheduler starts the scheduled runs. A test fails for a permission that no function needed.`;
