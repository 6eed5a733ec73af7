import { assembliesOf, type Deployment, DeploymentError, readResources, stacksOf } from '#test/deploy/deployment.ts';

/** `cdk destroy` of the service stack. The data stack keeps every resource. */
export async function destroy(deployment: Deployment): Promise<string> {
  const { cdk, aws } = deployment;
  const { service, data } = stacksOf(deployment);
  const before = await readResources(deployment, data);
  await cdk.destroy(assembliesOf(deployment).adapted, service);
  const after = await readResources(deployment, data);
  if (after.length !== before.length) throw new DeploymentError('The data stack has lost resources.');
  for (const { ResourceType, PhysicalResourceId } of after)
    if (ResourceType === 'AWS::DynamoDB::Table')
      await aws.run('dynamodb', 'describe-table', '--table-name', PhysicalResourceId);
  return `the service stack is gone, the data stack has its ${after.length} resources`;
}
