import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createTrialApp } from '#test/infra/trial-app.ts';

const network = { subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-8c9d0e1f'] };
const vpcConfig = { SubnetIds: network.subnetIds, SecurityGroupIds: network.securityGroupIds };

const deployed = z.looseObject({
  Properties: z.looseObject({
    Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
    Role: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }),
    VpcConfig: z.unknown().optional(),
  }),
  DependsOn: z.array(z.string()).default([]),
});
const policy = z.object({
  Properties: z.object({
    PolicyDocument: z.object({ Statement: z.array(z.looseObject({ Action: z.unknown(), Resource: z.unknown() })) }),
    Roles: z.array(z.object({ Ref: z.string() })),
  }),
});

function synthesize(settings: Readonly<Record<string, unknown>>) {
  const template = Template.fromStack(createTrialApp(settings).service);
  const functions = Object.values(template.findResources('AWS::Lambda::Function')).map((one) => deployed.parse(one));
  const policies = Object.entries(template.findResources('AWS::IAM::Policy')).map(
    ([id, one]) => [id, policy.parse(one).Properties] as const,
  );
  return { functions, policies };
}

const callsPlatform = ({ Properties: { Environment } }: z.infer<typeof deployed>) =>
  ['PLATFORM_BASE_URL', 'PLATFORM_AUTH_URL'].some((name) => name in Environment.Variables);

const ec2 = (rest: string) => ({
  'Fn::Join': [
    '',
    ['arn:', { Ref: 'AWS::Partition' }, ':ec2:', { Ref: 'AWS::Region' }, ':', { Ref: 'AWS::AccountId' }, `:${rest}`],
  ],
});

describe('a network of the partner', () => {
  it('has exactly the functions that call the platform', () => {
    const { functions } = synthesize({ network });
    const connected = functions.filter(({ Properties }) => Properties.VpcConfig !== undefined);
    expect(connected).toEqual(functions.filter(callsPlatform));
    expect(connected).toHaveLength(6);
    for (const { Properties } of connected) expect(Properties.VpcConfig).toEqual(vpcConfig);
  });

  it('has Lambda create interfaces in the given subnets and security groups only, and denies that to the code', () => {
    const { functions, policies } = synthesize({ network });
    const onInterfaces = [
      'ec2:DeleteNetworkInterface',
      'ec2:AssignPrivateIpAddresses',
      'ec2:UnassignPrivateIpAddresses',
    ];
    const onAnything = ['ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets'];
    for (const { Properties, DependsOn } of functions) {
      const [role] = Properties.Role['Fn::GetAtt'];
      const own = policies.filter(([, { Roles }]) => Roles.some(({ Ref }) => Ref === role));
      const statements = own
        .flatMap(([, { PolicyDocument }]) => PolicyDocument.Statement)
        .filter((one) => JSON.stringify(one.Action).includes('ec2:'));
      if (Properties.VpcConfig === undefined) expect(statements).toEqual([]);
      else {
        expect(statements).toEqual([
          {
            Effect: 'Allow',
            Action: 'ec2:CreateNetworkInterface',
            Resource: [ec2('subnet/subnet-0a1b2c3d'), ec2('security-group/sg-8c9d0e1f'), ec2('network-interface/*')],
          },
          { Effect: 'Allow', Action: onInterfaces, Resource: ec2('network-interface/*') },
          { Effect: 'Allow', Action: onAnything, Resource: '*' },
          {
            Effect: 'Deny',
            Action: ['ec2:CreateNetworkInterface', ...onInterfaces, ...onAnything],
            Resource: '*',
            Condition: { Null: { 'lambda:SourceFunctionArn': 'false' } },
          },
        ]);
        // Lambda connects a function as it creates it.
        for (const [id] of own) expect(DependsOn).toContain(id);
      }
    }
  });

  it('is none by default: every function is outside a VPC', () => {
    const { functions, policies } = synthesize({});
    expect(functions.filter(({ Properties }) => Properties.VpcConfig !== undefined)).toEqual([]);
    expect(JSON.stringify(policies)).not.toContain('ec2:');
  });
});
