import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { createHandler } from '#functions/onboarding/wake/handler.ts';
import { dueShard } from '#shared/onboarding/onboarding-keys.ts';
import { readOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { isErased, writeOnboarding } from '#shared/onboarding/onboarding-row.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { lambdaContext } from '#test/shared/lambda/lambda-context.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { createSqs } from '#test/simulation/aws/sqs.ts';
import { simulatedQueues, simulatedTables } from '#test/simulation/declared.ts';

const lease = 12 * 60_000;

/** The handler as its entry builds it, over services in memory. */
function createWorld() {
  let time = Date.parse('2026-01-02T03:04:05.678Z');
  let ids = 0;
  const commands: Command[] = [];
  let fails: (command: Command) => boolean = () => false;
  const dynamodb = createDynamoDb(simulatedTables);
  const sqs = createSqs(simulatedQueues, {
    now: () => time,
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    choose: () => 0,
  });
  const clientOf = <Client>({ perform }: { readonly perform: (command: Command) => object }) =>
    ({
      send: async (command: Command) => {
        commands.push(command);
        if (fails(command)) throw new Error('AWS does not answer.');
        return perform(command);
      },
    }) as unknown as Client;
  const clients = {
    dynamodb: clientOf<Pick<DynamoDBClient, 'send'>>(dynamodb),
    sqs: clientOf<Pick<SQSClient, 'send'>>(sqs),
  };
  const now = () => new Date(time);
  const lines: string[] = [];
  const handler = createHandler({
    ...clients,
    environment: {
      ENVIRONMENT: 'trial',
      ONBOARDINGS_TABLE: 'onboardings',
      EVENTS_TABLE: 'events',
      ONBOARDING_QUEUE_URL: 'onboarding',
      STAND_INS: 0,
    },
    now,
    write: (line) => void lines.push(line),
  });
  const store = createOnboardingStore({ dynamodb: clients.dynamodb, tableName: 'onboardings', now });
  return {
    commands,
    store,
    table: dynamodb.table('onboardings'),
    /** Stores an onboarding that has been due for so many seconds. */
    add: async (name: string, seconds: number) => {
      const dueOn = new Date(time - seconds * 1_000).toISOString();
      const row = { ...sampleOnboarding(name, { dueOn }), expiresAt: Math.floor(time / 1_000) + 86_400 };
      await store.create(row);
      return row;
    },
    run: () => handler({}, lambdaContext(60_000)),
    lines: () => lines.join(''),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    now,
    failWhen: (when: typeof fails) => {
      fails = when;
    },
    messages: () =>
      sqs
        .queue('onboarding')
        .all()
        .map(({ body }) => readOnboardingMessage(body)),
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
    expect(await world.run()).toEqual({ sent: 0 });
    world.pass(Date.parse('2026-01-02T04:00:30Z') - world.now().getTime());
    expect(await world.run()).toEqual({ sent: 1 });
    expect(world.table.get({ onboardingId: { S: onboardingId } })).toMatchObject({ dueShard: { S: dueShard } });
    const loaded = await world.store.load(onboardingId);
    expect(loaded !== undefined && !isErased(loaded)).toBe(true);
  });
});
