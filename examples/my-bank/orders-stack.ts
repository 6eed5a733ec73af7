import { join } from 'node:path';
import type { Drawbridge } from '@drawbridge-partner/drawbridge/cdk';
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export type OrdersStackProps = StackProps & { readonly drawbridge: Drawbridge };

/** Your own service beside Drawbridge: bus → queue → keep-orders → table of orders. */
export class OrdersStack extends Stack {
  constructor(scope: Construct, id: string, { drawbridge, ...props }: OrdersStackProps) {
    super(scope, id, props);
    const orders = this.#table('Orders', 'orderId');
    const sequences = this.#table('Sequences', 'key');

    // Put an alarm on the dead-letter queue: its messages need an operator.
    const failed = new Queue(this, 'OrderChangesFailed', { enforceSSL: true, retentionPeriod: Duration.days(14) });
    const changes = new Queue(this, 'OrderChanges', {
      enforceSSL: true,
      // Six times the timeout of the function, as AWS recommends.
      visibilityTimeout: Duration.minutes(3),
      deadLetterQueue: { queue: failed, maxReceiveCount: 5 },
    });
    drawbridge.subscribe(changes, ['OrderStatusChanged']);

    const keepOrders = new NodejsFunction(this, 'KeepOrders', {
      entry: join(import.meta.dirname, 'orders/lambda.ts'),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(30),
      memorySize: 512,
      environment: { ORDERS_TABLE: orders.tableName, SEQUENCES_TABLE: sequences.tableName },
      // The SDK goes into the bundle, so that its version is the tested one.
      bundling: { externalModules: [] },
    });
    keepOrders.addEventSource(new SqsEventSource(changes, { reportBatchItemFailures: true }));
    orders.grant(keepOrders, 'dynamodb:PutItem');
    sequences.grant(keepOrders, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
  }

  #table(id: string, partitionKey: string): Table {
    return new Table(this, id, {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
    });
  }
}
