import { join } from 'node:path';
import type { DetailType, Drawbridge } from '@drawbridge-partner/drawbridge/cdk';
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export type BankProps = StackProps & { readonly drawbridge: Drawbridge };

/** The services of a bank: a table of orders, a ledger, a CRM, a desk that calls the platform, and the backend of onboardings. */
export class Bank extends Stack {
  readonly #drawbridge: Drawbridge;

  constructor(scope: Construct, id: string, { drawbridge, ...props }: BankProps) {
    super(scope, id, props);
    this.#drawbridge = drawbridge;
    this.#consumer('KeepOrders', 'keep-orders.ts', 'Orders', ['OrderStatusChanged']);
    this.#consumer('Ledger', 'ledger.ts', 'Bookings', ['OrderStatusChanged', 'OrderStatusReported']);
    this.#consumer('Crm', 'crm.ts', 'Customers', ['OnboardingCompleted', 'OnboardingEnded']);

    // your systems → order-desk → platform, bus
    const orderDesk = this.#function('OrderDesk', 'order-desk.ts', { EVENT_BUS: drawbridge.bus.eventBusName });
    drawbridge.grantPlatformAccess(orderDesk);
    drawbridge.bus.grantPutEventsTo(orderDesk);

    // your website → onboarding-backend → Drawbridge
    drawbridge.grantOnboarding(this.#function('OnboardingBackend', 'onboarding-backend.ts', {}));
  }

  /** bus → queue → function → table. Put an alarm on the dead-letter queue. */
  #consumer(id: string, entry: string, tableName: string, detailTypes: readonly DetailType[]): void {
    const failed = new Queue(this, `${id}Failed`, { enforceSSL: true, retentionPeriod: Duration.days(14) });
    const queue = new Queue(this, `${id}Events`, {
      enforceSSL: true,
      visibilityTimeout: Duration.minutes(3),
      deadLetterQueue: { queue: failed, maxReceiveCount: 5 },
    });
    this.#drawbridge.subscribe(queue, detailTypes);
    const table = this.#table(tableName);
    const sequences = this.#table(`${id}Sequences`);
    const names = { TABLE: table.tableName, SEQUENCES_TABLE: sequences.tableName };
    const consumer = this.#function(id, entry, names);
    consumer.addEventSource(new SqsEventSource(queue, { reportBatchItemFailures: true }));
    table.grant(consumer, 'dynamodb:PutItem');
    sequences.grant(consumer, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
  }

  #table(id: string): Table {
    return new Table(this, id, {
      partitionKey: { name: 'key', type: AttributeType.STRING },
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
