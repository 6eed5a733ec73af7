import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { matchesPattern, readEventPattern } from '#sandbox/aws/services/event-pattern.ts';
import { checkpointKeys } from '#shared/aws/checkpoint.ts';
import { busSource } from '#shared/bus/bus.ts';
import { entityKeys } from '#shared/entities/entity-row.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import { deployedResources, type Expected, expectProperties } from './deployed-resources.ts';

const resources = deployedResources('data');

const keys = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' }]),
];
const keysOnly = { ProjectionType: 'KEYS_ONLY' };
const including = (...NonKeyAttributes: readonly string[]) => ({ ProjectionType: 'INCLUDE', NonKeyAttributes });

const account = { AWS: 'arn:<AWS::Partition>:iam::<AWS::AccountId>:root' };
const ofThisAccount = { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } };
const overSecretsManager = { StringEquals: { 'kms:ViaService': 'secretsmanager.<AWS::Region>.amazonaws.com' } };
const ofLogGroups = {
  ArnLike: { 'kms:EncryptionContext:aws:logs:arn': 'arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:*' },
};
const keyGrant = (Principal: object, Condition: object | undefined, ...Action: readonly string[]) => ({
  Effect: 'Allow',
  Principal,
  Condition,
  Action,
  Resource: '*',
});

/** What the stack keeps, property by property: the resource, or all of a type; what it has; and why. */
const expectations: readonly (readonly [of: string, has: Expected, why: string])[] = [
  ['AWS::DynamoDB::Table', { DeletionProtectionEnabled: true }, 'refuses to delete a table'],
  [
    'AWS::DynamoDB::Table',
    { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
    'restores a table to any second of 35 days',
  ],
  [
    'AWS::DynamoDB::Table',
    { SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: '<Key.Arn>' } },
    'encrypts a table with the key',
  ],
  [
    'AWS::DynamoDB::Table',
    { BillingMode: 'PAY_PER_REQUEST', ProvisionedThroughput: undefined },
    'has no capacity that a burst of webhooks would exceed',
  ],
  [
    'AWS::DynamoDB::Table',
    { TableName: undefined },
    'leaves no fixed name behind when the creation of a table is rolled back',
  ],
  ['AWS::DynamoDB::Table', { TableClass: undefined }, 'changes no class of a table that an earlier release created'],
  ['Key', { EnableKeyRotation: true }, 'rotates the key'],
  ['Key/Alias', { AliasName: 'alias/drawbridge-laptop', TargetKeyId: '<Key.Arn>' }, 'names the key by the environment'],
  [
    'Key',
    {
      'KeyPolicy.Statement': [
        // The policies of the account's own roles decide what each of them may do with it.
        { ...keyGrant(account, undefined), Action: 'kms:*' },
        keyGrant(
          { Service: 'logs.<AWS::Region>.<AWS::URLSuffix>' },
          ofLogGroups,
          ...['Encrypt*', 'Decrypt*', 'ReEncrypt*', 'GenerateDataKey*', 'Describe*'].map((action) => `kms:${action}`),
        ),
        keyGrant(
          account,
          overSecretsManager,
          ...['Decrypt', 'Encrypt', 'ReEncrypt*', 'GenerateDataKey*'].map((action) => `kms:${action}`),
        ),
        keyGrant(account, overSecretsManager, 'kms:CreateGrant', 'kms:DescribeKey'),
        keyGrant({ Service: 'cloudwatch.amazonaws.com' }, ofThisAccount, 'kms:Decrypt', 'kms:GenerateDataKey*'),
        keyGrant({ Service: 'cloudwatch.amazonaws.com' }, ofThisAccount, 'kms:Decrypt', 'kms:GenerateDataKey'),
        keyGrant({ Service: 'events.amazonaws.com' }, ofThisAccount, 'kms:Decrypt', 'kms:GenerateDataKey'),
      ],
    },
    'lets only the account, its alarms, its rules and its log groups use the key',
  ],
  [
    'Events',
    {
      KeySchema: keys('eventId'),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'quarantined',
          KeySchema: keys('quarantineShard', 'receivedOn'),
          Projection: including('eventType', 'quarantineReason', 'expiresAt'),
        },
        {
          IndexName: 'listed',
          KeySchema: keys('listLane', 'receivedOn'),
          Projection: including('eventType', 'quarantineReason', 'expiresAt'),
        },
        {
          IndexName: 'received',
          KeySchema: keys('receivedLane', 'receivedOn'),
          Projection: including('eventType', 'quarantineReason', 'expiresAt'),
        },
      ],
    },
    'partitions events by their id, which is a hash, and lists them by time over shards, without their bodies',
  ],
  [
    'Events',
    { TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } },
    'deletes an event by the attribute that the event store writes',
  ],
  [
    'Entities',
    {
      KeySchema: keys(entityKeys.partition, entityKeys.sort),
      GlobalSecondaryIndexes: [
        {
          IndexName: entityKeys.due.index,
          KeySchema: keys(entityKeys.due.partition, entityKeys.due.sort),
          Projection: keysOnly,
        },
        {
          IndexName: entityKeys.readBack.index,
          KeySchema: keys(entityKeys.readBack.partition, entityKeys.readBack.sort),
          Projection: keysOnly,
        },
        {
          IndexName: entityKeys.listed.index,
          KeySchema: keys(entityKeys.listed.partition, entityKeys.listed.sort),
          Projection: including('shownStatus'),
        },
      ],
    },
    'has one partition per entity with its state and events, as the entity store writes them',
  ],
  ['Entities', { TimeToLiveSpecification: undefined }, 'never deletes an entity by itself'],
  ['Checkpoints', { KeySchema: keys(checkpointKeys.partition) }, 'has a row for each job, as the checkpoint writes it'],
  [
    'Checkpoints',
    { TimeToLiveSpecification: undefined },
    'never deletes a checkpoint by itself, which holds a pending mark',
  ],
  [
    'Onboardings',
    {
      KeySchema: keys(onboardingKeys.partition),
      GlobalSecondaryIndexes: [
        {
          IndexName: onboardingKeys.due.index,
          KeySchema: keys(onboardingKeys.due.partition, onboardingKeys.due.sort),
          Projection: keysOnly,
        },
        {
          IndexName: onboardingKeys.person.index,
          KeySchema: keys(onboardingKeys.person.partition),
          Projection: including('identificationVerificationId', 'formerVerificationIds', 'dueOn'),
        },
        {
          IndexName: onboardingKeys.verification.index,
          KeySchema: keys(onboardingKeys.verification.partition),
          Projection: keysOnly,
        },
        {
          IndexName: onboardingKeys.listed.index,
          KeySchema: keys(onboardingKeys.listed.partition, onboardingKeys.listed.sort),
          Projection: including('version', 'state', 'expiresAt'),
        },
      ],
    },
    'has no personal data in an index of onboardings: only ids, times and the state',
  ],
  [
    'Onboardings',
    { TimeToLiveSpecification: { AttributeName: onboardingKeys.timeToLive, Enabled: true } },
    'deletes an onboarding by the attribute that the onboarding store writes',
  ],
  [
    'AWS::SecretsManager::Secret',
    { KmsKeyId: '<Key.Arn>', SecretString: undefined },
    'encrypts a secret with the key, and has none in the template',
  ],
  [
    'WebhookSecret',
    {
      GenerateSecretString: {
        SecretStringTemplate: '{}',
        GenerateStringKey: 'current',
        PasswordLength: 64,
        ExcludePunctuation: true,
      },
    },
    'starts with a long webhook secret that is valid in an HTTP header',
  ],
  [
    'PlatformCredentials',
    {
      GenerateSecretString: { SecretStringTemplate: '{"clientId":""}', GenerateStringKey: 'clientSecret' },
      Description: expect.stringContaining('{"clientId", "clientSecret"}'),
    },
    'starts without a client id until an operator sets it (section 5.1)',
  ],
  [
    'PlatformToken',
    {
      GenerateSecretString: {
        SecretStringTemplate: expect.stringContaining('"expiresAt":"1970-01-01T00:00:00.000Z"'),
        GenerateStringKey: 'accessToken',
        ExcludePunctuation: true,
      },
    },
    'starts with a token that has expired, so that the refresher replaces it (section 5.3)',
  ],
  ['Bus', { Name: 'drawbridge-laptop' }, 'names the bus by the environment, for the rules of other stacks'],
  [
    'Bus/Changes/Archive',
    { SourceArn: '<Bus.Arn>', RetentionDays: 90 },
    'archives changes for as long as their events are kept',
  ],
];

describe('the data stack', () => {
  it.each(expectations.map(([of, has, why]) => [why, of, has] as const))('%s: %s', (_, of, has) => {
    expectProperties(resources, of, has);
  });

  it('keeps every resource but aliases when the stack or the resource is removed', () => {
    const kept = resources.filter(({ Type }) => Type !== 'AWS::KMS::Alias');
    for (const { id, DeletionPolicy, UpdateReplacePolicy } of kept) {
      expect(DeletionPolicy, id).toMatch(/^Retain/);
      expect(UpdateReplacePolicy, id).toBe('Retain');
    }
  });

  it('removes what a rolled back creation made, but the tables, whose deletion protection would fail the rollback', () => {
    const staying = resources.filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain').map(({ Type }) => Type);
    expect(staying).toEqual(new Array(5).fill('AWS::DynamoDB::Table'));
  });

  it('is protected by termination protection', () => {
    const manifest = z
      .object({ artifacts: z.record(z.string(), z.object({ properties: z.looseObject({}).default({}) })) })
      .parse(JSON.parse(readFileSync(join(inject('assembly'), 'manifest.json'), 'utf8')));
    expect(manifest.artifacts['drawbridge-laptop-data']?.properties).toMatchObject({ terminationProtection: true });
  });

  it('has no policy on the bus but the one of the service stack, which denies', () => {
    const policies = [...resources, ...deployedResources('service')].filter(
      ({ Type }) => Type === 'AWS::Events::EventBusPolicy',
    );
    expect(policies.map(({ name }) => name)).toEqual(['BusPolicy']);
  });

  it('keeps what the how-to that removes it lists by type, like the log groups of the service stack', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/how-to/remove.md'), 'utf8');
    const kept = [...resources, ...deployedResources('service')].filter(({ DeletionPolicy }) =>
      String(DeletionPolicy).startsWith('Retain'),
    );
    const types = new Set(kept.map(({ Type }) => Type));
    expect(types).toContain('AWS::Logs::LogGroup');
    for (const type of types) expect(page).toContain(type);
  });
});

describe('the archive of the bus', () => {
  const archive = resources.find(({ name }) => name === 'Bus/Changes/Archive');

  it.each([
    ['keeps', 'OrderStatusChanged', busSource],
    ['keeps', 'EventQuarantined', busSource],
    ['omits', 'OnboardingRequested', busSource],
    ['omits', 'OrderStatusChanged', 'partner'],
  ])('%s %s of %s: no personal data, and no event of others (promise 8)', (does, detailType, source) => {
    const pattern = readEventPattern(archive?.Properties['EventPattern'], 'Archive');
    const event = { source, 'detail-type': detailType, detail: {} };
    expect(matchesPattern(pattern, event)).toBe(does === 'keeps');
  });
});
