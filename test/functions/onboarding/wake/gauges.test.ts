import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { createClaimOnboarding } from '#functions/onboarding/erase-person/claim-onboarding.ts';
import { createGauges } from '#functions/onboarding/wake/gauges.ts';
import { createListQuarantined } from '#shared/events/event-list.ts';
import { listQuarantined } from '#shared/events/event-listing.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { createListOnboardings } from '#shared/onboarding/onboarding-list.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { createListErasures } from '#shared/onboarding/unfinished-erasures.ts';
import { putEvents, type StoredEvent, now as storedAt, storedEvent } from '#test/shared/events/stored-events.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { simulatedTables } from '#test/simulation/declared.ts';

/** So many seconds before the gauges are published. */
const ago = (seconds: number) => new Date(storedAt.getTime() - seconds * 1_000).toISOString();

function createWorld({ standIns = 0 } = {}) {
  const { perform } = createDynamoDb(simulatedTables);
  let asked = 0;
  let isDown = false;
  const dynamodb = {
    send: async (command: Command) => {
      asked += 1;
      if (isDown) throw new Error('AWS does not answer.');
      return perform(command);
    },
  } as unknown as Pick<DynamoDBClient, 'send'>;
  const now = () => storedAt;
  const ofOnboardings = { dynamodb, tableName: 'onboardings', now };
  const lines = captureLines(now);
  const store = createOnboardingStore(ofOnboardings);
  const gauges = createGauges({
    listQuarantined: createListQuarantined({ dynamodb, tableName: 'events', now }),
    listOnboardings: createListOnboardings(ofOnboardings),
    listErasures: createListErasures(ofOnboardings),
    quarantine: listQuarantined({ dynamodb, tableName: 'events', now }, {}),
    standIns,
    now,
    ...lines,
  });
  return {
    store,
    lines,
    claim: createClaimOnboarding({ store, now: () => new Date(ago(50)) }),
    quarantine: (...events: readonly Partial<StoredEvent>[]) =>
      putEvents({ dynamodb, tableName: 'events' } as Parameters<typeof putEvents>[0], events.map(storedEvent)),
    add: async (externalId: string, state: Partial<OnboardingState>) => {
      await store.create(sampleOnboarding(externalId, state));
      return onboardingIdOf(externalId);
    },
    gauges,
    /** What a run publishes, and how often it asks DynamoDB. */
    publish: async () => {
      asked = 0;
      await gauges();
      return { ...lines.flushed(), asked };
    },
    failFromNowOn: () => {
      isDown = true;
    },
  };
}

describe('the gauges', () => {
  it('are 0 where there is nothing, with few requests', async () => {
    const { asked, ...published } = await createWorld().publish();
    expect(Object.values(published)).toEqual(new Array(10).fill(0));
    expect(asked).toBeLessThan(60);
  });

  it('have the number of settings with a stand-in', async () => {
    expect(await createWorld({ standIns: 2 }).publish()).toMatchObject({ StandInsUsed: 2 });
  });

  it('have the number of events in quarantine that have not expired, and the age of the oldest', async () => {
    const world = createWorld();
    await world.quarantine(
      { receivedOn: ago(30) },
      { receivedOn: ago(90) },
      { receivedOn: ago(900), expiresAt: storedAt.getTime() / 1_000 - 1 },
      { receivedOn: ago(700), quarantineReason: undefined },
    );
    expect(await world.publish()).toMatchObject({ EventsNowQuarantined: 2, OldestQuarantinedAge: 90 });
  });

  it('have the number of events in quarantine that are deleted within a week', async () => {
    const world = createWorld();
    const day = 86_400;
    const inDays = (days: number) => storedAt.getTime() / 1_000 + days * day;
    await world.quarantine(
      { receivedOn: ago(24 * day), expiresAt: inDays(6) },
      { receivedOn: ago(24 * day), expiresAt: inDays(370) },
      { receivedOn: ago(20 * day), expiresAt: inDays(10) },
    );
    expect(await world.publish()).toMatchObject({ EventsNowQuarantined: 3, QuarantinedExpiring: 1 });
  });

  it('have the number of stopped and stalled onboardings, and since when the first is so', async () => {
    const world = createWorld();
    await world.add('stopped', { step: 'STOPPED', since: ago(20) });
    await world.add('stalled', { step: 'AWAITING_CHECKS', since: ago(500), stalledOn: ago(40) });
    await world.add('stalled too', { step: 'AWAITING_VIDEO_CALL', since: ago(500), stalledOn: ago(60) });
    await world.add('in time', { step: 'AWAITING_CHECKS', since: ago(500) });
    expect(await world.publish()).toMatchObject({
      OnboardingsNowStopped: 1,
      OldestStoppedAge: 20,
      OnboardingsNowStalled: 2,
      OldestStalledAge: 60,
    });
  });

  it('end with the condition: an onboarding that continues is not counted any more', async () => {
    const world = createWorld();
    const onboardingId = await world.add('stalled', { step: 'AWAITING_CHECKS', stalledOn: ago(40) });
    const row = await world.store.load(onboardingId);
    if (row === undefined || !('state' in row)) throw new Error('There is no onboarding.');
    await world.store.save({ ...row, version: 2, state: { ...row.state, step: 'COMPLETED', stalledOn: undefined } });
    expect(await world.publish()).toMatchObject({ OnboardingsNowStalled: 0, OldestStalledAge: 0 });
  });

  it.each([
    ['of a person whose onboarding has ended', true],
    ['of a person who was not onboarded here', false],
  ])('count an erasure %s from its first write to its last, also when it is repeated', async (_, isOnboarded) => {
    const { claim, add, publish, lines } = createWorld();
    if (isOnboarded) await add('erased', { step: 'COMPLETED' });
    const onboardingId = onboardingIdOf('erased');
    const nothing = { keys: [], onboardingIds: [] };
    for (let request = 0; request < 2; request += 1) {
      expect(await claim.mark(onboardingId, nothing, () => undefined)).toBe('marked');
      expect(await publish()).toMatchObject({ ErasuresUnfinished: 1, OldestErasureAge: 50 });
    }
    expect(lines.objects()).toContainEqual(expect.objectContaining({ message: 'erasure unfinished', onboardingId }));
    expect(await claim.end(onboardingId, nothing)).toBe('erased');
    expect(await publish()).toMatchObject({ ErasuresUnfinished: 0, OldestErasureAge: 0 });
  });

  it('stop at 1,000, which stands for 1,000 or more', async () => {
    const world = createWorld();
    const later = storedAt.getTime() / 1_000 + 30 * 86_400;
    await world.quarantine(
      ...Array.from({ length: 1_003 }, (_, index) => ({ receivedOn: ago(index), expiresAt: later })),
    );
    await world.quarantine({ receivedOn: ago(2_000), expiresAt: storedAt.getTime() / 1_000 + 60 });
    const { asked, ...published } = await world.publish();
    expect(published).toMatchObject({ EventsNowQuarantined: 1_000, QuarantinedExpiring: 1 });
    expect(asked).toBeLessThan(100);
  });

  it('are not published in part when an index cannot be read', async () => {
    const world = createWorld();
    world.failFromNowOn();
    await expect(world.gauges()).rejects.toThrow('AWS does not answer.');
    expect(world.lines.flushed()).toEqual({});
  });
});
