import { docsPage } from '#cli/command/docs-page.ts';
import type { UpgradePlan } from './plan-upgrade.ts';

/** What people read before they deploy another release. */
export function formatUpgrade(plan: UpgradePlan, environment: string): string {
  const { deployed, installed, direction, skippedMinors } = plan;
  const deploy = `npx cdk diff --all --context environment=${environment}, then npx cdk deploy --all --context environment=${environment}`;
  if (direction === 'none') return `Release ${deployed} is deployed and installed: there is nothing to upgrade.`;
  if (direction === 'unsupported')
    return [
      `Release ${deployed} is deployed, which is earlier than the first release: no upgrade from it is tested. Do not deploy over it.`,
      `Next: deploy ${installed} as another environment (${docsPage('docs/how-to/deploy.md')}), and remove this one (${docsPage('docs/how-to/remove.md')}).`,
    ].join('\n');
  if (direction === 'rollback' && skippedMinors.length > 0)
    return [
      `Release ${deployed} is deployed, and ${installed} is installed: a deployment would be a rollback over several minor releases.`,
      'Do not deploy: only the release before is supported.',
      `Next: install a release ${skippedMinors[0]} (${docsPage('docs/how-to/install.md')}), and run drawbridge upgrade --check again.`,
    ].join('\n');
  if (direction === 'rollback')
    return [
      `Release ${deployed} is deployed, and ${installed} is installed: a deployment would be a rollback.`,
      `Only the release before is supported. Follow ${docsPage('docs/how-to/upgrade.md')}, "Roll back": it says what to do before and after.`,
      'Roll back the service stack only. The data stack stays at the newer release, and keeps all data.',
      `Next: read the page, then npx cdk deploy drawbridge-${environment}-service --exclusively --context environment=${environment}`,
    ].join('\n');
  return [
    `Release ${deployed} is deployed, and ${installed} is installed.`,
    ...listOf('Do this before you deploy:', plan.before),
    ...listOf('This behaves differently:', plan.changes),
    ...listOf('This is removed:', plan.removed),
    '',
    ...(skippedMinors.length === 0
      ? ['Your data is safe: no table, queue, secret, key or bus is replaced or removed.', `Next: ${deploy}`]
      : [
          `Do not deploy yet: ${installed} is tested with the data of the minor release before it. Install and deploy ${skippedMinors.join(', then ')} first.`,
          `Next: get a release ${skippedMinors[0]} from npm or as a tarball, and install it (${docsPage('docs/how-to/install.md')}).`,
        ]),
  ].join('\n');
}

function listOf(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ['', title, ...items.map((item) => `  - ${item}`)];
}
