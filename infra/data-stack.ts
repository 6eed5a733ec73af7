import { CfnResource, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableClass,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, Match } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Secret, type SecretProps } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { checkpointKeys } from '#shared/aws/checkpoint.ts';
import { requestDetailType } from '#shared/bus/event-details.ts';
import { entityKeys } from '#shared/entities/entity-row.ts';
import { eventKeys } from '#shared/events/event-row.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import { personKeys } from '#shared/persons/person-index.ts';
import { busNameOf } from './bus-name.ts';
import { acknowledge } from './parts/acknowledge.ts';
import { pinFeatureFlags } from './parts/feature-flags.ts';
import { addOutput } from './parts/output.ts';
import { requestEventTimeout, storeTimeout } from './parts/retries.ts';
import { TableBackups } from './parts/table-backups.ts';
import { WorkQueue } from './parts/work-queue.ts';
import type { Settings } from './settings.ts';

export type DataStackProps = StackProps & {
  /** Encrypts the data, the secrets and the alarms. Keys of the stack unless given. */
  readonly key?: IKey | undefined;
  readonly environment: {
    readonly name: string;
    readonly settings: Pick<Settings, 'eventRetentionDays' | 'eventsTableClass' | 'backup' | 'keys' | 'secretReplicas'>;
  };
};

/** What all secrets have in common. */
type OfSecrets = Pick<SecretProps, 'encryptionKey' | 'replicaRegions' | 'removalPolicy'>;

/**
 * Kept when the stack is deleted or gives the resource up, and not when its creation is rolled back: a bus that stayed
 * would keep the name from the next attempt.
 */
const retained = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

const pointInTimeReason =
  'Point-in-time recovery restores each table to any second of the last 35 days. The setting `backup` adds a backup plan.';

/** The most that SQS takes. */
const maxMessageSizeBytes = 1_048_576;

/**
 * The data that outlives a release: tables, the webhooks and requests that wait in queues, secrets and their key, and the bus.
 * Retained, and protected from deletion.
 */
export class DataStack extends Stack {
  readonly environmentName: string;
  /** Encrypts tables, queues, log groups and backups. */
  readonly key: IKey;
  /** Each of them that may encrypt a secret: two while an environment moves from the first to the second. */
  readonly secretsKeys: readonly IKey[];
  /** Encrypts the notifications of alarms, which must get out when another key cannot be used. */
  readonly alarmsKey: IKey;
  /** Encrypts them until the service stack follows, while an environment moves from this key to `alarmsKey`. */
  readonly formerAlarmsKey: IKey | undefined;
  readonly events: Table;
  readonly entities: Table;
  readonly onboardings: Table;
  readonly checkpoints: Table;
  /** The index of persons: which events name a person. */
  readonly persons: Table;
  /** The daily backups; undefined without the setting `backup`. */
  readonly backups: TableBackups | undefined;
  /** Takes each webhook before it is acknowledged. Its dead-letter queue keeps what could not be stored. */
  readonly webhooks: WorkQueue;
  /** Takes each `OnboardingRequested` of the bus. Its dead-letter queue keeps what could not be accepted or handed over. */
  readonly requests: WorkQueue;
  readonly webhookSecret: Secret;
  readonly platformToken: Secret;
  readonly platformCredentials: Secret;
  /** Carries the published changes to the partner's own systems, whose rules outlive a release too. */
  readonly bus: EventBus;

  constructor(scope: Construct, id: string, { environment, key, ...props }: DataStackProps) {
    super(scope, id, { ...props, terminationProtection: true });
    pinFeatureFlags(this);
    this.environmentName = environment.name;
    this.key = key ?? this.#ownKey('Key', '', 'what Drawbridge keeps: events, queues and secrets');
    // `drawbridge policy` finds the other keys among the resources of the stacks.
    if (key !== undefined) addOutput(this, 'KeyArn', 'The key that encrypts what Drawbridge keeps', key.keyArn);
    const { secretsKeys, alarmsKey, formerAlarmsKey } = this.#otherKeys(environment.settings.keys, key);
    this.secretsKeys = secretsKeys;
    this.alarmsKey = alarmsKey;
    this.formerAlarmsKey = formerAlarmsKey;
    this.#encryptLogs();
    this.events = this.#eventsTable(environment.settings);
    this.entities = this.#entitiesTable();
    this.onboardings = this.#onboardingsTable();
    this.checkpoints = this.#table('Checkpoints', checkpointKeys.partition);
    this.persons = this.#table('Persons', personKeys.partition, {
      sortKey: { name: personKeys.sort, type: AttributeType.STRING },
      timeToLiveAttribute: personKeys.timeToLive,
    });
    this.backups = this.#backUp(environment);
    this.webhooks = this.#webhooksQueue();
    this.requests = this.#requestsQueue();
    const ofSecrets = this.#propsOfSecrets(environment.settings);
    this.webhookSecret = this.#webhookSecret(ofSecrets);
    this.platformToken = this.#platformToken(ofSecrets);
    this.platformCredentials = this.#platformCredentials(ofSecrets);
    this.bus = this.#bus(environment);
  }

  #ownKey(id: string, aliasSuffix: string, encrypts: string): Key {
    const key = new Key(this, id, {
      description: `Encrypts ${encrypts}`,
      enableKeyRotation: true,
      removalPolicy: retained,
    });
    // Deleted with the stack: an alias that stayed would keep its name from the next stack, and nothing uses it.
    new Alias(key, 'Alias', { aliasName: `alias/drawbridge-${this.environmentName}${aliasSuffix}`, targetKey: key });
    return key;
  }

  #otherKeys(
    setting: Settings['keys'],
    given: IKey | undefined,
  ): Pick<DataStack, 'secretsKeys' | 'alarmsKey' | 'formerAlarmsKey'> {
    if (setting === 'one' || given !== undefined)
      return { secretsKeys: [this.key], alarmsKey: this.key, formerAlarmsKey: undefined };
    const secretsKey = this.#ownKey('SecretsKey', '-secrets', 'the secrets of Drawbridge');
    return {
      secretsKeys: setting === 'both' ? [this.key, secretsKey] : [secretsKey],
      alarmsKey: this.#ownKey('AlarmsKey', '-alarms', 'the notifications of alarms of Drawbridge'),
      formerAlarmsKey: setting === 'both' ? this.key : undefined,
    };
  }

  /** What all secrets have. Of two keys, the first one: the second one replaces it once all readers may use it. */
  #propsOfSecrets({ secretReplicas = [] }: DataStackProps['environment']['settings']): OfSecrets {
    const replicas = secretReplicas.map(({ region, keyArn }) => ({
      region,
      encryptionKey: Key.fromKeyArn(this, `KeyIn-${region}`, keyArn),
    }));
    return {
      encryptionKey: this.secretsKeys[0] ?? this.key,
      ...(replicas.length > 0 && { replicaRegions: replicas }),
      removalPolicy: retained,
    };
  }

  /** CloudWatch asks for the key itself, once for each log group of the account that names the key. */
  #encryptLogs(): void {
    const ofThisAccount = this.formatArn({ service: 'logs', resource: '*' });
    const logs = new ServicePrincipal(`logs.${this.region}.${this.urlSuffix}`, {
      conditions: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': ofThisAccount } },
    });
    this.key.grant(logs, 'kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*');
  }

  #table(id: string, partitionKey: string, props: Partial<TableProps> = {}): Table {
    const table = new Table(this, id, {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.key,
      deletionProtection: true,
      // Always: a rollback could not delete a table with deletion protection, and would fail itself.
      removalPolicy: RemovalPolicy.RETAIN,
      ...props,
    });
    return table;
  }

  #backUp({ name, settings: { backup } }: DataStackProps['environment']): TableBackups | undefined {
    const tables = [this.events, this.entities, this.onboardings, this.checkpoints, this.persons];
    if (backup !== undefined)
      return new TableBackups(this, 'Backups', { backup, environmentName: name, key: this.key, tables });
    for (const table of tables) acknowledge(table, 'DynamoDBInBackupPlan', pointInTimeReason);
    return undefined;
  }

  #eventsTable({ eventsTableClass }: DataStackProps['environment']['settings']): Table {
    const table = this.#table('Events', eventKeys.partition, {
      timeToLiveAttribute: eventKeys.timeToLive,
      // A table that was created without a class has none in the template: naming the default would be a change.
      ...(eventsTableClass === 'infrequent-access' && { tableClass: TableClass.STANDARD_INFREQUENT_ACCESS }),
    });
    // Those of the lists of all events are empty, and free, unless the setting asks for them.
    for (const { index, partition, sort } of [eventKeys.quarantine, eventKeys.listed, eventKeys.received])
      table.addGlobalSecondaryIndex({
        indexName: index,
        partitionKey: { name: partition, type: AttributeType.STRING },
        sortKey: { name: sort, type: AttributeType.STRING },
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: ['eventType', 'quarantineReason', eventKeys.timeToLive],
      });
    return table;
  }

  #entitiesTable(): Table {
    const { partition, sort, due, readBack, listed } = entityKeys;
    const table = this.#table('Entities', partition, { sortKey: { name: sort, type: AttributeType.STRING } });
    table.addGlobalSecondaryIndex({
      indexName: due.index,
      partitionKey: { name: due.partition, type: AttributeType.STRING },
      sortKey: { name: due.sort, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // For a rollback to 0.2.0. CloudFormation changes one index of a table in an update: the next minor release deletes it.
    table.addGlobalSecondaryIndex({
      indexName: readBack.index,
      partitionKey: { name: readBack.partition, type: AttributeType.STRING },
      sortKey: { name: readBack.sort, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // Empty, and free, unless the setting asks for it.
    table.addGlobalSecondaryIndex({
      indexName: listed.index,
      partitionKey: { name: listed.partition, type: AttributeType.STRING },
      sortKey: { name: listed.sort, type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...listed.holds],
    });
    return table;
  }

  #onboardingsTable(): Table {
    const { partition, timeToLive, due, person, verification, listed } = onboardingKeys;
    const table = this.#table('Onboardings', partition, { timeToLiveAttribute: timeToLive });
    const key = (name: string) => ({ name, type: AttributeType.STRING });
    const addIndex = (index: string, keys: { partitionKey: Attribute; sortKey?: Attribute }) =>
      table.addGlobalSecondaryIndex({ indexName: index, ...keys, projectionType: ProjectionType.KEYS_ONLY });
    addIndex(due.index, { partitionKey: key(due.partition), sortKey: key(due.sort) });
    table.addGlobalSecondaryIndex({
      indexName: person.index,
      partitionKey: key(person.partition),
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...person.holds],
    });
    addIndex(verification.index, { partitionKey: key(verification.partition) });
    table.addGlobalSecondaryIndex({
      indexName: listed.index,
      partitionKey: key(listed.partition),
      sortKey: key(listed.sort),
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...listed.holds],
    });
    return table;
  }

  /**
   * Encrypted with a key of EventBridge, since the bus carries only ids and statuses. Our own key would have to be open
   * to everyone who publishes, subscribes or replays, and an event that cannot be decrypted would be lost.
   */
  #bus({ name, settings }: DataStackProps['environment']): EventBus {
    const bus = new EventBus(this, 'Bus', {
      eventBusName: busNameOf(name),
      description: 'Drawbridge: a change of an order, transfer, person or verification is an event here',
    });
    const archive = bus.archive('Changes', {
      description: 'The events that Drawbridge has published, for replays',
      // A request for an onboarding holds a person, which no archive may keep. Every sender may name Drawbridge as the source.
      eventPattern: { source: ['drawbridge'], detailType: Match.anythingBut(requestDetailType) },
      retention: Duration.days(settings.eventRetentionDays),
    });
    for (const kept of [bus, archive]) kept.applyRemovalPolicy(retained);
    return bus;
  }

  #webhooksQueue(): WorkQueue {
    return this.#retain(
      new WorkQueue(this, 'Webhooks', {
        key: this.key,
        functionTimeout: storeTimeout,
        retentionPeriod: Duration.days(7),
        maxMessageSizeBytes,
      }),
    );
  }

  /** A message holds a person: the queues keep it only as long as operators need to act, over a long weekend. */
  #requestsQueue(): WorkQueue {
    return this.#retain(
      new WorkQueue(this, 'Requests', {
        key: this.key,
        functionTimeout: requestEventTimeout,
        retentionPeriod: Duration.days(2),
        deadLetterRetention: Duration.days(4),
        maxMessageSizeBytes,
      }),
    );
  }

  #retain(queue: WorkQueue): WorkQueue {
    // With their policies, which refuse calls without TLS.
    const resources = [queue, queue.deadLetters].flatMap(({ node }) => node.findAll());
    for (const resource of resources.filter(CfnResource.isCfnResource)) resource.applyRemovalPolicy(retained);
    return queue;
  }

  #webhookSecret(ofAll: OfSecrets): Secret {
    const secret = new Secret(this, 'WebhookSecret', {
      description: 'The secret that the platform sends with each webhook: {"current", "previous"}',
      ...ofAll,
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'current',
        // Goes into an HTTP header as it is.
        excludePunctuation: true,
        passwordLength: 64,
      },
    });
    acknowledgeRotation(
      secret,
      'Register rotates it, together with the registrations on the platform; a rotation without them would cut off deliveries.',
    );
    return secret;
  }

  #platformToken(ofAll: OfSecrets): Secret {
    const never = new Date(0).toISOString();
    const secret = new Secret(this, 'PlatformToken', {
      description: 'The access token for the platform, kept fresh by the token refresher',
      ...ofAll,
      // An expired token: the first run of the refresher replaces it, as it would any other.
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ issuedAt: never, expiresAt: never, pacedUntil: never }),
        generateStringKey: 'accessToken',
        excludePunctuation: true,
      },
    });
    acknowledgeRotation(
      secret,
      'The token refresher rotates it, at half the life of each token and when the platform refuses one.',
    );
    return secret;
  }

  #platformCredentials(ofAll: OfSecrets): Secret {
    const secret = new Secret(this, 'PlatformCredentials', {
      description: 'Store here the credentials that the operator of the platform issued: {"clientId", "clientSecret"}',
      ...ofAll,
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ clientId: '' }),
        generateStringKey: 'clientSecret',
      },
    });
    addOutput(
      this,
      'PlatformCredentialsArn',
      'Store the credentials that the operator of the platform issued in this secret: {"clientId", "clientSecret"}',
      secret.secretArn,
    );
    acknowledgeRotation(secret, 'The support of the platform issues it to an operator: no function could rotate it.');
    return secret;
  }
}

function acknowledgeRotation(secret: Secret, reason: string): void {
  Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason });
  acknowledge(secret, 'SecretsManagerRotationEnabled', reason);
}
