import type { DrawbridgeProps } from '@drawbridge-partner/drawbridge/cdk';
import { Stack, Tags } from 'aws-cdk-lib';
import { SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/** What the bank brings itself: the VPC from which the platform is called, and the key of all that is kept. */
export class Foundation extends Stack {
  readonly ours: Required<Pick<DrawbridgeProps, 'network' | 'key'>>;

  constructor(scope: Construct, id: string, { environmentName }: { readonly environmentName: string }) {
    super(scope, id);
    const { vpcId, availabilityZones, privateSubnets } = new Vpc(this, 'Vpc', { maxAzs: 2, natGateways: 1 });
    // By its attributes, because a `Vpc` is not an `IVpc` to a compiler with `exactOptionalPropertyTypes`.
    const privateSubnetIds = privateSubnets.map(({ subnetId }) => subnetId);
    const vpc = Vpc.fromVpcAttributes(this, 'Attributes', { vpcId, availabilityZones, privateSubnetIds });
    const key = new Key(this, 'Key', { enableKeyRotation: true });
    // `drawbridge policy` lets the roles of Drawbridge use only keys with this tag.
    Tags.of(key).add('drawbridge:environment', environmentName);
    this.ours = {
      network: { vpc, securityGroups: [new SecurityGroup(this, 'Platform', { vpc })] },
      key,
    };
  }
}
