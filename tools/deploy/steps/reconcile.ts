import { join } from 'node:path';
import { type DeployRun, until } from '#tools/deploy/deploy-run.ts';
import { DeploymentError, ProcessFailedError } from '#tools/deploy/errors.ts';
import { runCommand } from '#tools/deploy/tools/command.ts';

const persons = 3;

/** docs/how-to/reconcile.md: after lost webhooks, `drawbridge reconcile` reports, repairs and then finds no drift. */
export async function reconcile(deployment: DeployRun): Promise<string> {
  const { platform } = deployment;
  const { settings } = platform.platform;
  settings.change({ deliveriesLost: 1 });
  for (let created = 0; created < persons; created += 1)
    await fetch(`${platform.origin}/control/natural-persons`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
  settings.change({ deliveriesLost: 0 });
  const reported = await until('The report finds the persons', async () => {
    const printed = await run(deployment, 'report');
    return new RegExp(`natural-person +\\d+ +${persons} +0 `).test(printed) && printed;
  });
  const repaired = await run(deployment, 'repair');
  if (!new RegExp(`natural-person +\\d+ +${persons} +${persons} `).test(repaired))
    throw new DeploymentError(`Not repaired:\n${repaired}`);
  await until('The report finds no drift', async () =>
    (await run(deployment, 'report')).includes('No compared entity has drifted.'),
  );
  return reported;
}

/** What the command prints, with any exit code. */
async function run({ root, env, environment }: DeployRun, mode: 'report' | 'repair'): Promise<string> {
  const args = [join(root, 'cli/main.ts'), 'reconcile', mode, '--env', environment, '--yes'];
  try {
    return await runCommand(process.execPath, args, { cwd: root, env });
  } catch (error) {
    if (error instanceof ProcessFailedError && error.stdout !== '') return error.stdout;
    throw error;
  }
}
