import { describe, expect, it } from 'vitest';
import { expectProperties } from '#test/infra/deployed-resources.ts';
import { createCheckedApp, trialResources } from '#test/infra/shared-trial-apps.ts';
import { type Grant, grantsOf } from '#test/infra/stacks/granted-permissions.ts';

const network = { subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-8c9d0e1f'] };
const { service } = trialResources({ network });
const functions = service.filter(({ Type }) => Type === 'AWS::Lambda::Function');
const connected = functions.filter(({ Properties }) => Properties['VpcConfig'] !== undefined);

const ec2 = (name: string) => `arn:<AWS::Partition>:ec2:<AWS::Region>:<AWS::AccountId>:${name}`;
const ofInterfaces = ['AssignPrivateIpAddresses', 'DeleteNetworkInterface', 'UnassignPrivateIpAddresses'];
const ofAnything = ['DescribeNetworkInterfaces', 'DescribeSubnets'];
const denied = '{"Null":{"lambda:SourceFunctionArn":"false"}}';

const allowed = [
  ...['network-interface/*', 'security-group/sg-8c9d0e1f', 'subnet/subnet-0a1b2c3d'].map(
    (name) => `Allow ec2:CreateNetworkInterface on ${ec2(name)}`,
  ),
  ...ofInterfaces.map((action) => `Allow ec2:${action} on ${ec2('network-interface/*')}`),
  ...ofAnything.map((action) => `Allow ec2:${action} on *`),
];
const refused = ['CreateNetworkInterface', ...ofInterfaces, ...ofAnything].map(
  (action) => `Deny ec2:${action} on * when ${denied}`,
);

const textOf = ({ effect, action, resource, condition }: Grant) =>
  `${effect} ${action} on ${resource}${condition === undefined ? '' : ` when ${JSON.stringify(condition)}`}`;
const networkGrantsOf = (name: string) =>
  grantsOf(service, `${name}/Role`)
    .map(textOf)
    .filter((grant) => grant.includes(' ec2:'));

describe('a network of the partner', () => {
  it('has exactly the functions that call the platform', () => {
    const callers = functions.filter(({ Properties }) =>
      /"PLATFORM_(?:BASE|AUTH)_URL"/.test(JSON.stringify(Properties)),
    );
    expect(connected).toEqual(callers);
    expect(connected).toHaveLength(6);
  });

  it.each(connected)(
    'has Lambda create interfaces for $name there only, denies that to its code, and waits for it',
    ({ name, DependsOn }) => {
      expectProperties(service, name, {
        VpcConfig: { SubnetIds: network.subnetIds, SecurityGroupIds: network.securityGroupIds },
      });
      expect(networkGrantsOf(name).toSorted()).toEqual([...allowed, ...refused].toSorted());
      // Lambda connects a function as it creates it.
      const [policy] = service.filter((resource) => resource.name === `${name}/Role/DefaultPolicy`);
      expect(DependsOn).toContain(policy?.id);
    },
  );

  it('has every function with allFunctions, and no finding of cdk-nag', () => {
    const all = { network: { ...network, allFunctions: true } };
    const placed = trialResources(all).service.filter(({ Type }) => Type === 'AWS::Lambda::Function');
    expect(placed).toHaveLength(functions.length);
    for (const { name } of placed)
      expectProperties(placed, name, {
        VpcConfig: { SubnetIds: network.subnetIds, SecurityGroupIds: network.securityGroupIds },
      });
    expect(() => createCheckedApp(all).app.synth()).not.toThrow();
  });

  it('gives no permission of EC2 to other functions, and none without the setting', () => {
    const others = functions.filter(({ name }) => !connected.some((one) => one.name === name));
    expect(others.flatMap(({ name }) => networkGrantsOf(name))).toEqual([]);
    expect(JSON.stringify(trialResources().service)).not.toMatch(/"ec2:|VpcConfig/);
  });
});
