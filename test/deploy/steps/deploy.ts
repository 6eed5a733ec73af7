import { assembliesOf, type Deployment, DeploymentError, readResources, stacksOf } from '#test/deploy/deployment.ts';

/** `cdk deploy --all`. */
export async function deploy(deployment: Deployment): Promise<string> {
  await deployment.cdk.deploy(assembliesOf(deployment).adapted);
  const stacks = Object.values(stacksOf(deployment));
  const all = (await Promise.all(stacks.map((stack) => readResources(deployment, stack)))).flat();
  const failed = all.filter(({ ResourceStatus }) => !/^(CREATE|UPDATE)_COMPLETE$/.test(ResourceStatus));
  if (failed.length > 0)
    throw new DeploymentError(`Not deployed: ${failed.map(({ LogicalResourceId }) => LogicalResourceId).join(', ')}.`);
  return `${stacks.length} stacks with ${all.length} resources`;
}
