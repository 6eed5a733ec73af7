import { RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { eventKeys } from '#shared/event-row.ts';

/** What outlives a release: tables, secrets and their key. Retained, and protected from deletion. */
export class DataStack extends Stack {
  readonly key: Key;
  readonly events: Table;
  readonly webhookSecret: Secret;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, { ...props, terminationProtection: true });
    this.key = new Key(this, 'Key', {
      description: 'Encrypts what Drawbridge keeps: events, queues and secrets',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.events = this.#eventsTable();
    this.webhookSecret = this.#webhookSecret();
  }

  #eventsTable(): Table {
    const table = new Table(this, 'Events', {
      partitionKey: { name: eventKeys.partition, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.key,
      timeToLiveAttribute: eventKeys.timeToLive,
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    table.addGlobalSecondaryIndex({
      indexName: eventKeys.quarantine.index,
      partitionKey: { name: eventKeys.quarantine.partition, type: AttributeType.STRING },
      sortKey: { name: eventKeys.quarantine.sort, type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ['eventType', 'quarantineReason'],
    });
    return table;
  }

  #webhookSecret(): Secret {
    const secret = new Secret(this, 'WebhookSecret', {
      description: 'The secret that the platform sends with each webhook: {"current", "previous"}',
      encryptionKey: this.key,
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'current',
        // Goes into an HTTP header as it is.
        excludePunctuation: true,
        passwordLength: 64,
      },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Rotated together with the registrations on the platform; Secrets Manager alone would cut off deliveries.',
    });
    return secret;
  }
}
