import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { waitingState } from '#functions/onboarding/state-machine/timing.ts';
import { dueShard } from '#shared/onboarding/onboarding-keys.ts';
import { isErased, writeOnboarding } from '#shared/onboarding/onboarding-row.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import { createWakeWorld } from './wake-world.ts';

const lease = 12 * 60_000;

function createWorld() {
  const world = createWakeWorld();
  // The first minute of an hour is another case.
  world.pass(4 * 60_000);
  return {
    ...world,
    /** Stores an onboarding that has been due for so many seconds. */
    add: async (name: string, seconds: number) => {
      const time = world.now().getTime();
      const dueOn = new Date(time - seconds * 1_000).toISOString();
      const row = { ...sampleOnboarding(name, { dueOn }), expiresAt: Math.floor(time / 1_000) + 86_400 };
      await world.store.create(row);
      return row;
    },
  };
}

describe('the waker', () => {
  it('asks AWS for one query when nothing is due', async () => {
    const world = createWorld();
    await world.add('later', -60);
    world.commands.length = 0;
    expect(await world.run()).toEqual({ sent: 0 });
    expect(world.commands.map((command) => command.constructor)).toEqual([QueryCommand]);
  });

  it('sends each due onboarding once per lease, with the end of its lease', async () => {
    const world = createWorld();
    const { onboardingId, version } = await world.add('due', 1);
    await world.run();
    const dueOn = new Date(world.now().getTime() + lease).toISOString();
    expect(world.messages()).toEqual([{ onboardingId, lease: dueOn }]);
    expect(await world.store.load(onboardingId)).toMatchObject({ version: version + 1, state: { dueOn } });
    world.pass(lease - 1);
    await world.run();
    expect(world.messages()).toHaveLength(1);
    world.pass(1);
    await world.run();
    expect(world.messages()).toHaveLength(2);
  });

  it('measures how long the onboarding that was due first has waited, and nothing when none is due', async () => {
    const world = createWorld();
    await world.run();
    expect(world.lines()).not.toContain('OldestDueAge');
    await world.add('late', 700);
    await world.add('due', 1);
    await world.run();
    expect(world.lines()).toContain('"OldestDueAge":700');
  });

  it('measures the wait from the first lease on while SQS refuses, and starts again after a complete run', async () => {
    const world = createWorld();
    const { onboardingId } = await world.add('refused', 60);
    world.failWhen((command) => command.constructor.name === 'SendMessageBatchCommand');
    await expect(world.run()).rejects.toThrow('SQS');
    world.pass(lease);
    await expect(world.run()).rejects.toThrow('SQS');
    expect(world.lines()).toContain(`"OldestDueAge":${60 + lease / 1_000}`);
    const row = await world.store.load(onboardingId);
    if (row === undefined || isErased(row)) throw new Error('There is no onboarding.');
    const deps = { now: world.now(), random: () => 0, settings: onboardingSettings.parse({}) };
    expect(waitingState(row.state, {}, deps)).not.toHaveProperty('dueSince');
  });

  it('counts MessagesFailedRepeatedly from the fifth lease on when no run has come to its end', async () => {
    const world = createWorld();
    const { onboardingId } = await world.add('fails', 1);
    for (let leases = 1; leases < 5; leases += 1) {
      await world.run();
      world.pass(lease);
    }
    expect(world.lines()).not.toContain('MessagesFailedRepeatedly');
    await world.run();
    expect(world.lines()).toMatch(
      new RegExp(`"onboarding does not advance".*"onboardingId":"${onboardingId}".*"receives":5`),
    );
    expect(world.lines()).toContain('"MessagesFailedRepeatedly":1');
  });

  it('sends 1,000 onboardings at most, the earliest first', async () => {
    const world = createWorld();
    for (let number = 0; number < 1_005; number += 1) await world.add(`due-${number}`, 1_005 - number);
    expect(await world.run()).toEqual({ sent: 1_000 });
    expect(new Set(world.messages().map((message) => message.onboardingId)).size).toBe(1_000);
    expect(await world.run()).toEqual({ sent: 5 });
  });

  it('sends the others when an onboarding has expired, is erased, or cannot be read', async () => {
    const world = createWorld();
    const expired = await world.add('expired', 4);
    const erased = await world.add('erased', 3);
    const broken = await world.add('broken', 2);
    const { onboardingId } = await world.add('due', 1);
    world.table.put(writeOnboarding({ ...expired, expiresAt: 1 }, world.now()));
    await world.store.erase(erased.onboardingId, erased);
    world.table.put({ ...writeOnboarding(broken, world.now()), state: { S: '{}' } });
    await expect(world.run()).rejects.toThrow('cannot be read: state');
    expect(world.messages().map((message) => message.onboardingId)).toEqual([onboardingId]);
  });

  it('sends an onboarding when its lease ends, after SQS has failed, and no other twice', async () => {
    const world = createWorld();
    for (let number = 0; number < 30; number += 1) await world.add(`due-${number}`, 30 - number);
    let calls = 0;
    world.failWhen((command) => {
      if (command.constructor.name !== 'SendMessageBatchCommand') return false;
      calls += 1;
      return calls === 1;
    });
    await expect(world.run()).rejects.toThrow('SQS');
    expect(world.messages()).toHaveLength(20);
    await world.run();
    expect(world.messages()).toHaveLength(20);
    world.pass(lease);
    await world.run();
    expect(world.messages()).toHaveLength(50);
  });

  it('skips an onboarding that another writer saves meanwhile', async () => {
    const world = createWorld();
    const row = await world.add('due', 1);
    world.failWhen((command) => {
      if (command.constructor.name !== 'GetItemCommand') return false;
      // The row is read before, and saved after the other writer.
      queueMicrotask(() => world.table.put(writeOnboarding({ ...row, version: row.version + 1 }, world.now())));
      return false;
    });
    expect(await world.run()).toEqual({ sent: 0 });
    expect(world.messages()).toEqual([]);
  });

  it('sends onboardings in the shards of 0.2.0 in the first minute of an hour, and moves them to the first shard', async () => {
    const world = createWorld();
    const { onboardingId, ...row } = await world.add('former', 1);
    world.table.put({ ...writeOnboarding({ ...row, onboardingId }, world.now()), dueShard: { S: '7' } });
    world.pass(55 * 60_000);
    expect(await world.run()).toEqual({ sent: 0 });
    world.pass(90_000);
    expect(await world.run()).toEqual({ sent: 1 });
    // An hour is how often these shards are read, not a delay.
    expect(world.lines()).toContain('"OldestDueAge":0');
    expect(world.table.get({ onboardingId: { S: onboardingId } })).toMatchObject({ dueShard: { S: dueShard } });
    const loaded = await world.store.load(onboardingId);
    expect(loaded !== undefined && !isErased(loaded)).toBe(true);
  });
});
