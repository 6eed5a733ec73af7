import { join } from 'node:path';
import type { Drawbridge } from '@drawbridge-partner/drawbridge/cdk';
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export type OrderServiceProps = StackProps & { readonly drawbridge: Drawbridge };

/** A service of a partner: keeps a table of orders, cancels orders, fetches trade invoices, and has persons onboarded. */
export class OrderService extends Stack {
  constructor(scope: Construct, id: string, { drawbridge, ...props }: OrderServiceProps) {
    super(scope, id, props);
    const orders = this.#table('Orders', 'orderId');
    const sequences = this.#table('Sequences', 'key');

    // bus → queue → keep-orders → orders. Put alarms on both dead-letter queues.
    const failed = new Queue(this, 'OrderChangesFailed', { enforceSSL: true, retentionPeriod: Duration.days(14) });
    const changes = new Queue(this, 'OrderChanges', {
      enforceSSL: true,
      visibilityTimeout: Duration.minutes(3),
      deadLetterQueue: { queue: failed, maxReceiveCount: 5 },
    });
    drawbridge.subscribe(changes, ['OrderStatusChanged']);
    const keepOrders = this.#function('KeepOrders', 'keep-orders.ts', {
      ORDERS_TABLE: orders.tableName,
      SEQUENCES_TABLE: sequences.tableName,
    });
    keepOrders.addEventSource(new SqsEventSource(changes, { reportBatchItemFailures: true }));
    orders.grant(keepOrders, 'dynamodb:PutItem');
    sequences.grant(keepOrders, 'dynamodb:GetItem', 'dynamodb:UpdateItem');

    // your systems → order-desk → platform, bus
    const orderDesk = this.#function('OrderDesk', 'order-desk.ts', { EVENT_BUS: drawbridge.bus.eventBusName });
    drawbridge.grantPlatformAccess(orderDesk);
    drawbridge.bus.grantPutEventsTo(orderDesk);
  }

  #table(id: string, partitionKey: string): Table {
    return new Table(this, id, {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
    });
  }

  #function(id: string, entry: string, environment: Record<string, string>): NodejsFunction {
    return new NodejsFunction(this, id, {
      entry: join(import.meta.dirname, entry),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(30),
      memorySize: 512,
      environment,
      // The SDK goes into the bundle, so that its version is the tested one.
      bundling: { externalModules: [] },
    });
  }
}
