import { join } from 'node:path';
import { adaptAssembly } from '#tools/deploy/assembly/adapt-assembly.ts';
import { adaptTemplate } from '#tools/deploy/assembly/adaptations.ts';
import { breakTemplate } from '#tools/deploy/assembly/break-template.ts';
import { asDeployer } from '#tools/deploy/deployer.ts';
import { assembliesOf, type Deployment, DeploymentError, readStatus, stacksOf } from '#tools/deploy/deployment.ts';
import { runPage } from '#tools/deploy/run-page.ts';
import { CommandError } from '#tools/deploy/tools/command.ts';

/** The first deployment of the data stack fails at its last resource and is rolled back. */
export async function failFirstDeployment(deployment: Deployment): Promise<string> {
  const { directory } = deployment;
  const { cdk } = await asDeployer(deployment);
  const { data } = stacksOf(deployment);
  const broken = join(directory, 'broken.out');
  adaptAssembly(assembliesOf(deployment).synthesized, broken, (given, stack) => {
    const adapted = adaptTemplate(given);
    return stack === data ? { ...adapted, template: breakTemplate(adapted.template) } : adapted;
  });
  const failure = await cdk.deploy(broken).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof CommandError)) throw new DeploymentError('The deployment did not fail.');
  const status = await readStatus(deployment, data);
  if (status !== 'ROLLBACK_COMPLETE') throw new DeploymentError(`${data} is ${status}, not ROLLBACK_COMPLETE.`);
  return `${data} is ${status}`;
}

/** Runs the commands of docs/how-to/deploy.md, after which the next step deploys. */
export async function recover(deployment: Deployment): Promise<string> {
  return runPage(deployment, 'docs/how-to/deploy.md', 'If the first deployment fails');
}
