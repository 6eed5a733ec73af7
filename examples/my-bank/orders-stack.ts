import { join } from 'node:path';
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { DetailType, Drawbridge } from 'drawbridge/cdk';

export type OrdersStackProps = StackProps & { readonly drawbridge: Drawbridge };

/** Your own services beside Drawbridge: bus → queue → keep-orders → table of orders, and bus → queue → ledger → table of bookings. */
export class OrdersStack extends Stack {
  readonly #drawbridge: Drawbridge;

  constructor(scope: Construct, id: string, { drawbridge, ...props }: OrdersStackProps) {
    super(scope, id, props);
    this.#drawbridge = drawbridge;

    const orders = this.#table('Orders', 'orderId');
    const keepOrders = this.#consumer('KeepOrders', 'orders/lambda.ts', ['OrderStatusChanged']);
    keepOrders.addEnvironment('ORDERS_TABLE', orders.tableName);
    orders.grant(keepOrders, 'dynamodb:PutItem');

    const bookings = this.#table('Bookings', 'orderId');
    const ledger = this.#consumer('Ledger', 'ledger/lambda.ts', ['OrderStatusChanged', 'OrderStatusReported']);
    ledger.addEnvironment('BOOKINGS_TABLE', bookings.tableName);
    bookings.grant(ledger, 'dynamodb:PutItem');
  }

  /** A function that handles these events, with a queue and a table of sequences of its own. */
  #consumer(id: string, entry: string, detailTypes: readonly DetailType[]): NodejsFunction {
    // Put an alarm on the dead-letter queue: its messages need an operator.
    const failed = new Queue(this, `${id}Failed`, { enforceSSL: true, retentionPeriod: Duration.days(14) });
    const queue = new Queue(this, `${id}Events`, {
      enforceSSL: true,
      // Six times the timeout of the function, as AWS recommends.
      visibilityTimeout: Duration.minutes(1),
      deadLetterQueue: { queue: failed, maxReceiveCount: 5 },
    });
    this.#drawbridge.subscribe(queue, detailTypes);
    const sequences = this.#table(`${id}Sequences`, 'key');
    const consumer = new NodejsFunction(this, id, {
      entry: join(import.meta.dirname, entry),
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(10),
      memorySize: 512,
      environment: { SEQUENCES_TABLE: sequences.tableName },
      // The SDK goes into the bundle, so that its version is the tested one.
      bundling: { externalModules: [] },
    });
    consumer.addEventSource(new SqsEventSource(queue, { reportBatchItemFailures: true }));
    sequences.grant(consumer, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    return consumer;
  }

  #table(id: string, partitionKey: string): Table {
    return new Table(this, id, {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
    });
  }
}
