import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { allowedPermissions } from '#test/end-to-end/permissions/compare.ts';
import { generated } from './generated.ts';

/** `docs/reference/permissions.md`: what the policy of each function allows. */
export function writePermissions(blueprint: Blueprint): string {
  const sections = blueprint.functions
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name, path }) => [
      `## ${path.split('/').at(-1)}`,
      [
        '| Action | Resource |',
        '|---|---|',
        ...allowedPermissions(blueprint, name)
          .map(({ action, resource }) => `| \`${action}\` | ${nameOf(blueprint, resource)} |`)
          .toSorted(),
      ].join('\n'),
    ]);
  return `${[preface, ...sections].join('\n\n')}\n`;
}

/** In words, as the laptop calls it: the names in an account hold the environment and a random part. */
function nameOf({ tables, queues, secrets, eventBuses }: Blueprint, resource: string): string {
  const [owner = '', index] = resource.split('/index/');
  const named = (kind: string, resources: readonly { readonly arn: string; readonly name: string }[]) =>
    resources.filter(({ arn }) => arn === owner).map(({ name }) => `${kind} \`${name}\``);
  const [found = 'the key'] = [
    ...named('table', tables),
    ...named('queue', queues),
    ...named('secret', secrets),
    ...named('bus', eventBuses),
  ];
  return index === undefined ? found : `index \`${index}\` of ${found}`;
}

const preface = `${generated}

# Permissions

*For auditors and engineers who review what the functions may do.* The policy of each function allows these actions and no others, each on
one resource. Every function may write to its own log group and send traces to X-Ray too.

The laptop refuses a call that a policy does not allow. After all end-to-end tests \`npm test\` compares the policies with the calls of the
functions: it fails for a permission that no call needed. \`node test/end-to-end/permissions/main.ts\` prints the comparison.`;
