import { arnsOf } from '#cli/policy/deployment/policy.ts';
import { asDeployer, scopeOf } from '#tools/deploy/deployer.ts';
import { assembliesOf, type Deployment, DeploymentError, readResources, stacksOf } from '#tools/deploy/deployment.ts';

/** `cdk deploy --all` by a user with the printed policy of the deployer. Then every role gets the boundary, which the emulator leaves out. */
export async function deploy(deployment: Deployment): Promise<string> {
  const { cdk } = await asDeployer(deployment);
  await cdk.deploy(assembliesOf(deployment).adapted);
  const stacks = Object.values(stacksOf(deployment));
  const all = (await Promise.all(stacks.map((stack) => readResources(deployment, stack)))).flat();
  const failed = all.filter(({ ResourceStatus }) => !/^(CREATE|UPDATE)_COMPLETE$/.test(ResourceStatus));
  if (failed.length > 0)
    throw new DeploymentError(`Not deployed: ${failed.map(({ LogicalResourceId }) => LogicalResourceId).join(', ')}.`);
  const { boundary } = arnsOf(scopeOf(deployment));
  const roles = all.filter(({ ResourceType }) => ResourceType === 'AWS::IAM::Role');
  for (const { PhysicalResourceId: role } of roles) {
    const named = ['--role-name', role, '--permissions-boundary', boundary];
    await deployment.aws.run('iam', 'put-role-permissions-boundary', ...named);
  }
  return `${stacks.length} stacks with ${all.length} resources, ${roles.length} roles with the boundary`;
}
