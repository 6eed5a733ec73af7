import { describe, expect, it } from 'vitest';
import { createErasureMark } from '#functions/onboarding/erase-person/erasure-mark.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { putEvents, type StoredEvent, now as storedAt, storedEvent } from '#test/shared/events/stored-events.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import { createWakeWorld } from './wake-world.ts';

/** So many seconds before the gauges are published. */
const ago = (seconds: number) => new Date(storedAt.getTime() - seconds * 1_000).toISOString();

function createWorld(options?: Parameters<typeof createWakeWorld>[0]) {
  const world = createWakeWorld(options);
  const { store, dynamodb } = world;
  return {
    ...world,
    claim: createErasureMark({ store, now: () => new Date(ago(50)), ...captureLines() }),
    quarantine: (...events: readonly Partial<StoredEvent>[]) =>
      putEvents({ dynamodb, tableName: 'events' } as Parameters<typeof putEvents>[0], events.map(storedEvent)),
    add: async (externalId: string, state: Partial<OnboardingState>) => {
      await store.create({ ...sampleOnboarding(externalId, state), outbox: [] });
      return onboardingIdOf(externalId);
    },
    /** What a run publishes, and how often it asks AWS. */
    publish: async () => {
      world.commands.length = 0;
      await world.run({ publish: 'gauges' });
      const { _aws, Environment, version, ...values } = JSON.parse(world.lines().trim().split('\n').at(-1) ?? '{}');
      return { ...values, asked: world.commands.length };
    },
  };
}

describe('the run that publishes the gauges', () => {
  it('publishes 0 where there is nothing, with few requests', async () => {
    const { asked, ...published } = await createWorld().publish();
    expect(Object.values(published)).toEqual(new Array(10).fill(0));
    expect(asked).toBeLessThan(60);
  });

  it('publishes the number of settings with a stand-in', async () => {
    expect(await createWorld({ standIns: 2 }).publish()).toMatchObject({ StandInsUsed: 2 });
  });

  it('publishes the number of events in quarantine that have not expired, and the age of the oldest', async () => {
    const world = createWorld();
    await world.quarantine(
      { receivedOn: ago(30) },
      { receivedOn: ago(90) },
      { receivedOn: ago(900), expiresAt: storedAt.getTime() / 1_000 - 1 },
      { receivedOn: ago(700), quarantineReason: undefined },
    );
    expect(await world.publish()).toMatchObject({ EventsNowQuarantined: 2, OldestQuarantinedAge: 90 });
  });

  it('publishes the number of events in quarantine that are deleted within a week', async () => {
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

  it('publishes the number of stopped and stalled onboardings, and since when the first is so', async () => {
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

  it('does not count a stalled onboarding any more once it has continued', async () => {
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
  ])('counts an erasure %s from its first write to its last, also when it is repeated', async (_, isOnboarded) => {
    const { claim, add, publish, lines } = createWorld();
    if (isOnboarded) await add('erased', { step: 'COMPLETED' });
    const onboardingId = onboardingIdOf('erased');
    const nothing = { keys: [], onboardingIds: [] };
    for (let request = 0; request < 2; request += 1) {
      expect(await claim.mark(onboardingId, nothing, () => undefined)).toBe('marked');
      expect(await publish()).toMatchObject({ ErasuresUnfinished: 1, OldestErasureAge: 50 });
    }
    expect(lines()).toMatch(new RegExp(`"erasure unfinished".*${onboardingId}`));
    expect(await claim.end(onboardingId, nothing)).toBe('erased');
    expect(await publish()).toMatchObject({ ErasuresUnfinished: 0, OldestErasureAge: 0 });
  });

  it('stops at 1,000, which stands for 1,000 or more', async () => {
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

  it('publishes no part of the gauges when an index cannot be read', async () => {
    const world = createWorld();
    world.failWhen(() => true);
    await expect(world.run({ publish: 'gauges' })).rejects.toThrow();
    expect(world.lines()).not.toContain('EventsNowQuarantined');
  });
});
