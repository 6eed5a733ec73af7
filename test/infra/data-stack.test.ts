import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { matchesPattern, readEventPattern } from '#sandbox/aws/services/event-pattern.ts';
import { checkpointKeys } from '#shared/aws/checkpoint.ts';
import { busSource } from '#shared/bus/bus.ts';
import { entityKeys } from '#shared/entities/entity-row.ts';
import { newEventRow } from '#shared/events/event-row.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import { arnOf, deployedStack, resourcesOf, theResource } from './deployed-stack.ts';
import { statementsIn } from './policy-statements.ts';

const data = deployedStack('data');
const template = Template.fromJSON(data);
const key = theResource(data, 'AWS::KMS::Key');

function eventsTableHas(properties: Record<string, unknown>): void {
  template.hasResourceProperties('AWS::DynamoDB::Table', properties);
}

describe('design: what is kept is retained, and protected from deletion', () => {
  it('retains every resource when the stack or the resource goes', () => {
    for (const [id, resource] of Object.entries(data.Resources)) {
      expect(resource, id).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });

  it('refuses to delete a table', () => {
    template.allResourcesProperties('AWS::DynamoDB::Table', { DeletionProtectionEnabled: true });
  });

  it('refuses to delete the stack', () => {
    const manifest = z
      .object({ artifacts: z.record(z.string(), z.object({ properties: z.looseObject({}).default({}) })) })
      .parse(JSON.parse(readFileSync(join(inject('assembly'), 'manifest.json'), 'utf8')));
    expect(manifest.artifacts['drawbridge-sandbox-data']?.properties).toMatchObject({ terminationProtection: true });
  });

  it('can restore a table to any second of the last weeks', () => {
    template.allResourcesProperties('AWS::DynamoDB::Table', {
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });
});

describe('design: what is kept is encrypted with a key of our own', () => {
  it('rotates the one key', () => {
    expect(key.Properties).toMatchObject({ EnableKeyRotation: true });
  });

  it('encrypts every table with it', () => {
    template.allResourcesProperties('AWS::DynamoDB::Table', {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: arnOf(key) },
    });
  });

  it('encrypts every secret with it', () => {
    template.allResourcesProperties('AWS::SecretsManager::Secret', { KmsKeyId: arnOf(key) });
  });

  it('lets nobody use the key but the account itself and the alarms', () => {
    const principals = statementsIn(key.Properties.KeyPolicy).map(({ Principal }) => JSON.stringify(Principal));
    const account =
      '{"AWS":{"Fn::Join":["",["arn:",{"Ref":"AWS::Partition"},":iam::",{"Ref":"AWS::AccountId"},":root"]]}}';
    expect(new Set(principals)).toEqual(new Set([account, '{"Service":"cloudwatch.amazonaws.com"}']));
  });
});

describe('design: no partition key takes more than its share', () => {
  it('partitions events by their id, a hash, and by nothing else', () => {
    eventsTableHas({ KeySchema: [{ AttributeName: 'eventId', KeyType: 'HASH' }] });
    eventsTableHas({ AttributeDefinitions: Match.arrayWith([{ AttributeName: 'eventId', AttributeType: 'S' }]) });
  });

  it('has no provisioned throughput to run out of', () => {
    template.allResourcesProperties('AWS::DynamoDB::Table', {
      BillingMode: 'PAY_PER_REQUEST',
      ProvisionedThroughput: Match.absent(),
    });
  });

  it('spreads the index of quarantined events over shards, in order of time', () => {
    eventsTableHas({
      GlobalSecondaryIndexes: [
        Match.objectLike({
          IndexName: 'quarantined',
          KeySchema: [
            { AttributeName: 'quarantineShard', KeyType: 'HASH' },
            { AttributeName: 'receivedOn', KeyType: 'RANGE' },
          ],
        }),
      ],
    });
  });
});

describe('design: the index of quarantined events is sparse', () => {
  const event = { eventId: 'ab12', eventType: 'PROXY_NOTIFICATION' };
  const delivery = { ...event, deliveryId: '1', receivedOn: '2026-01-01T00:00:00.000Z', deflatedBody: Buffer.from('') };

  it('holds an event that is quarantined', () => {
    const row = newEventRow({ ...event, quarantineReason: 'NOT_JSON' }, delivery, 1);
    expect(row.quarantineShard).toEqual({ S: 'a' });
  });

  it('does not hold an event that has its effect', () => {
    expect(newEventRow({ ...event, quarantineReason: undefined }, delivery, 1)).not.toHaveProperty('quarantineShard');
  });

  it('keeps bodies out of the index', () => {
    eventsTableHas({
      GlobalSecondaryIndexes: [
        Match.objectLike({
          Projection: {
            ProjectionType: 'INCLUDE',
            NonKeyAttributes: ['eventType', 'quarantineReason', 'expiresAt'],
          },
        }),
      ],
    });
  });
});

describe('design, draining: progress survives the time limit of the function', () => {
  const checkpoints = theResource(data, 'AWS::DynamoDB::Table', 'Checkpoints');

  it('in a table with a row for each job, as the checkpoint writes it', () => {
    expect(checkpoints.Properties).toMatchObject({
      KeySchema: [{ AttributeName: checkpointKeys.partition, KeyType: 'HASH' }],
    });
  });

  it('that never expires: it says what is being marked', () => {
    expect(checkpoints.Properties).not.toHaveProperty('TimeToLiveSpecification');
  });
});

describe('issue 5: an entity is a partition of its own', () => {
  const { Properties } = theResource(data, 'AWS::DynamoDB::Table', 'Entities');
  const keys = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ];

  it('holds its state and its events, as the entity store writes them', () => {
    expect(Properties.KeySchema).toEqual(keys(entityKeys.partition, entityKeys.sort));
  });

  it('is found without reading the table where it is to be read back, and by its key alone', () => {
    const { index, partition, sort } = entityKeys.readBack;
    expect(Properties.GlobalSecondaryIndexes).toEqual([
      { IndexName: index, KeySchema: keys(partition, sort), Projection: { ProjectionType: 'KEYS_ONLY' } },
    ]);
  });

  it('never expires', () => {
    expect(Properties).not.toHaveProperty('TimeToLiveSpecification');
  });
});

describe('issue 6: an onboarding is found by its id, by whom it is about, and by when it is due', () => {
  const { Properties } = theResource(data, 'AWS::DynamoDB::Table', 'Onboardings');
  const { partition, due, person, verification, timeToLive } = onboardingKeys;
  const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' });
  const keysOnly = { ProjectionType: 'KEYS_ONLY' };

  it('partitioned by its id, a hash', () => {
    expect(Properties.KeySchema).toEqual([hash(partition)]);
  });

  it('with indexes that hold no personal data, but ids and times alone', () => {
    expect(Properties.GlobalSecondaryIndexes).toEqual([
      {
        IndexName: due.index,
        KeySchema: [hash(due.partition), { AttributeName: due.sort, KeyType: 'RANGE' }],
        Projection: keysOnly,
      },
      {
        IndexName: person.index,
        KeySchema: [hash(person.partition)],
        Projection: {
          ProjectionType: 'INCLUDE',
          NonKeyAttributes: ['identificationVerificationId', 'formerVerificationIds', 'dueOn'],
        },
      },
      { IndexName: verification.index, KeySchema: [hash(verification.partition)], Projection: keysOnly },
    ]);
  });

  it('and goes by the attribute that the onboarding store writes', () => {
    expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: timeToLive, Enabled: true });
  });
});

describe("issue 5: the bus is for the partner's own systems, whose rules outlive a release", () => {
  const bus = theResource(data, 'AWS::Events::EventBus');

  it('is called after the environment, and nothing else: rules of other stacks know it by that', () => {
    expect(bus.Properties.Name).toBe('drawbridge-sandbox');
  });

  it('is open to nobody by a policy of its own', () => {
    expect(resourcesOf(data, 'AWS::Events::EventBusPolicy')).toEqual([]);
  });
});

describe('issue 5: an archive on the bus, for replay', () => {
  const archive = theResource(data, 'AWS::Events::Archive');
  const isArchived = (detailType: string, source: string = busSource) =>
    matchesPattern(readEventPattern(archive.Properties.EventPattern, 'Archive'), {
      source,
      'detail-type': detailType,
      detail: {},
    });

  it('keeps changes for as long as their events are kept', () => {
    expect(archive.Properties).toMatchObject({
      SourceArn: arnOf(theResource(data, 'AWS::Events::EventBus')),
      RetentionDays: 90,
    });
    expect(['OrderStatusChanged', 'NaturalPersonUpdated', 'EventQuarantined'].map((type) => isArchived(type))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('promise 8: never what is asked of Drawbridge, which holds a person, nor what others publish', () => {
    expect(isArchived('OnboardingRequested')).toBe(false);
    expect(isArchived('OnboardingRequested', 'partner')).toBe(false);
    expect(isArchived('OrderStatusChanged', 'partner')).toBe(false);
  });
});

describe('design: an event goes when its retention is over', () => {
  it('expires by the attribute that the event store writes', () => {
    eventsTableHas({ TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } });
  });
});

describe('design: the webhook secret is generated, never written down', () => {
  const secret = theResource(data, 'AWS::SecretsManager::Secret', 'WebhookSecret');

  it('begins as {"current"} alone', () => {
    expect(secret.Properties.GenerateSecretString).toMatchObject({
      SecretStringTemplate: '{}',
      GenerateStringKey: 'current',
    });
  });

  it('is long, and goes into an HTTP header as it is', () => {
    expect(secret.Properties.GenerateSecretString).toMatchObject({ ExcludePunctuation: true, PasswordLength: 64 });
    expect(secret.Properties.GenerateSecretString).not.toHaveProperty('IncludeSpace');
  });

  it('stands in no template, nor does any other secret', () => {
    expect(resourcesOf(data, 'AWS::SecretsManager::Secret').map(({ Properties }) => Properties)).not.toContainEqual(
      expect.objectContaining({ SecretString: expect.anything() }),
    );
  });
});

describe('section 5.1: the credentials are put in by hand', () => {
  const secret = theResource(data, 'AWS::SecretsManager::Secret', 'PlatformCredentials');

  it('until then they are none: the client has no id', () => {
    expect(secret.Properties.GenerateSecretString).toMatchObject({
      SecretStringTemplate: '{"clientId":""}',
      GenerateStringKey: 'clientSecret',
    });
  });

  it('says what belongs there', () => {
    expect(secret.Properties.Description).toContain('{"clientId", "clientSecret"}');
  });
});

describe('section 5.3: the platform token begins as one that has expired long since', () => {
  const secret = theResource(data, 'AWS::SecretsManager::Secret', 'PlatformToken');

  it('so that nothing is called with it, and the refresher replaces it', () => {
    const { SecretStringTemplate } = z
      .object({ SecretStringTemplate: z.string() })
      .parse(secret.Properties.GenerateSecretString);
    expect(JSON.parse(SecretStringTemplate)).toMatchObject({ expiresAt: '1970-01-01T00:00:00.000Z' });
    expect(secret.Properties.GenerateSecretString).toMatchObject({
      GenerateStringKey: 'accessToken',
      ExcludePunctuation: true,
    });
  });
});
