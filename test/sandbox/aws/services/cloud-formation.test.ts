import {
  CloudFormationClient,
  DescribeStackResourceCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { CfnOutput } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';

let fixture: FixtureHost;
let cloudFormation: CloudFormationClient;
beforeAll(async () => {
  fixture = await startFixture((stack) => {
    stack.templateOptions.description = 'Orders & <transfers>';
    const { queueUrl: value } = new Queue(stack, 'Orders');
    new CfnOutput(stack, 'OrdersUrl', { value, description: 'Send "orders" here', exportName: 'fixture-orders' });
  });
  const { awsOrigin: endpoint, region } = fixture.host.place;
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
  cloudFormation = new CloudFormationClient({ endpoint, region, credentials });
});
afterAll(async () => {
  cloudFormation.destroy();
  await fixture.close();
});

const id = 'arn:aws:cloudformation:eu-central-1:000000000000:stack/fixture/sandbox';
const orders = () => ({ PhysicalResourceId: fixture.queueUrl('orders'), ResourceType: 'AWS::SQS::Queue' });

describe('sandbox aws: CloudFormation', () => {
  it.each([undefined, 'fixture', id])('describes the stack %s with its outputs', async (StackName) => {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    expect(Stacks).toMatchObject([
      {
        StackName: 'fixture',
        StackId: id,
        StackStatus: 'CREATE_COMPLETE',
        Description: 'Orders & <transfers>',
        CreationTime: expect.any(Date),
        Outputs: [
          {
            OutputKey: 'OrdersUrl',
            OutputValue: fixture.queueUrl('orders'),
            Description: 'Send "orders" here',
            ExportName: 'fixture-orders',
          },
        ],
      },
    ]);
  });

  it('tells the physical id of a resource, by its logical id', async () => {
    const resources = new DescribeStackResourcesCommand({ StackName: 'fixture' });
    const { StackResources: all = [] } = await cloudFormation.send(resources);
    expect(all).toMatchObject([orders()]);
    const LogicalResourceId = all[0]?.LogicalResourceId;
    const resource = new DescribeStackResourceCommand({ StackName: 'fixture', LogicalResourceId });
    expect(await cloudFormation.send(resource)).toMatchObject({ StackResourceDetail: orders() });
  });
});
