import { Stack, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { CfnFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Network } from '#infra/account-settings.ts';

const onInterfaces = ['ec2:DeleteNetworkInterface', 'ec2:AssignPrivateIpAddresses', 'ec2:UnassignPrivateIpAddresses'];
const onAnything = ['ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets'];

/**
 * Has Lambda connect a function to subnets, by the permissions of its role. The function itself cannot use these: Lambda sends
 * `lambda:SourceFunctionArn` with the calls of its code only
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html).
 */
export function connectToNetwork(lambda: LambdaFunction, role: Role, { subnetIds, securityGroupIds }: Network): void {
  const resource = lambda.node.findAll().find((node) => node instanceof CfnFunction);
  if (resource === undefined) throw new TypeError(`${lambda.node.path} has no resource.`);
  resource.vpcConfig = { subnetIds, securityGroupIds };
  const arn = (type: string, id: string) =>
    Stack.of(lambda).formatArn({ service: 'ec2', resource: type, resourceName: id });
  const interfaces = arn('network-interface', '*');
  const placed = [
    ...subnetIds.map((id) => arn('subnet', id)),
    ...securityGroupIds.map((id) => arn('security-group', id)),
    interfaces,
  ];
  const create = 'ec2:CreateNetworkInterface';
  role.addToPolicy(new PolicyStatement({ actions: [create], resources: placed }));
  role.addToPolicy(new PolicyStatement({ actions: onInterfaces, resources: [interfaces] }));
  role.addToPolicy(new PolicyStatement({ actions: onAnything, resources: ['*'] }));
  role.addToPolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: [create, ...onInterfaces, ...onAnything],
      resources: ['*'],
      conditions: { Null: { 'lambda:SourceFunctionArn': 'false' } },
    }),
  );
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ec2:<AWS::Region>:<AWS::AccountId>:network-interface/*]',
    reason:
      'Lambda creates the network interfaces: their ids are unknown before. The code of the function is denied all of it.',
  });
}
