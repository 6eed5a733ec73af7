import { asDeployer } from '#tools/deploy/deployer.ts';
import { assembliesOf, type Deployment, DeploymentError, readResources, stacksOf } from '#tools/deploy/deployment.ts';

/** `cdk deploy --all` by a user with the generated policy of the deployer. */
export async function deploy(deployment: Deployment): Promise<string> {
  const { cdk } = await asDeployer(deployment);
  await cdk.deploy(assembliesOf(deployment).adapted);
  const stacks = Object.values(stacksOf(deployment));
  const all = (await Promise.all(stacks.map((stack) => readResources(deployment, stack)))).flat();
  const failed = all.filter(({ ResourceStatus }) => !/^(CREATE|UPDATE)_COMPLETE$/.test(ResourceStatus));
  if (failed.length > 0)
    throw new DeploymentError(`Not deployed: ${failed.map(({ LogicalResourceId }) => LogicalResourceId).join(', ')}.`);
  return `${stacks.length} stacks with ${all.length} resources`;
}
