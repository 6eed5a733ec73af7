import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { Entity } from '#shared/entities/entity-store.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { createTestStores } from '#test/shared/events/test-stores.ts';
import { createStoreFunction, detailsIn, messageOf, receivedOn } from './store-function.ts';
import { firstVersion } from './store-world.ts';

let emulators: Emulators;
beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());
afterEach(() => emulators.unwatch());

const store = (messages: readonly string[]) => createStoreFunction(emulators).store(messages);
const entities = () =>
  createTestStores(emulators, () => new Date(receivedOn), emulators.tableNameOf('entities')).entityStore;
const read = (id: string) => entities().read({ kind: 'order', id });
const timeline = (id: string) => entities().timeline({ kind: 'order', id });

const report = (orderId: string, status: string, second: number, deliveryId = 'd') =>
  messageOf({ orderId, status, modifiedOn: `2026-01-02T03:00:0${second}Z` }, deliveryId);

/** The changes in a call to the bus: of which order, the sequence from 1, and the status. */
function changesIn(moment: AwsCallMoment): readonly string[] {
  return detailsIn(moment).map((detail) => {
    const { id, sequence, status } = JSON.parse(detail);
    return `${id} ${sequence - firstVersion + 1} ${status}`;
  });
}

describe('promise 2: a batch with several events about an entity', () => {
  it('writes the entity once, and publishes each change with a sequence of its own', async () => {
    const [published, written]: [string[], string[]] = [[], []];
    emulators.watch((moment) => {
      if (moment.when === 'before') published.push(...changesIn(moment));
      if (moment.when === 'before' && moment.operation === 'PutItem') written.push(moment.operation);
    });
    const statuses = ['RECEIVED', 'PENDING', 'FILLED'];
    // The order in the batch is not the order on the platform.
    expect(await store(statuses.map((status, second) => report('one', status, second)).toReversed())).toEqual([]);
    expect(published.toSorted()).toEqual(['one 1 RECEIVED', 'one 2 PENDING', 'one 3 FILLED']);
    expect(written).toEqual(['PutItem']);
    expect(await read('one')).toMatchObject({ status: 'FILLED', version: firstVersion + 2 });
  });

  it('keeps in the timeline what does not change the entity', async () => {
    expect(await store([report('late', 'FILLED', 2), report('late', 'PENDING', 1)])).toEqual([]);
    const untimed = messageOf({ orderId: 'late', status: 'PENDING' }, 'd');
    expect(await store([report('late', 'SETTLED', 3), untimed])).toEqual([]);
    expect(await read('late')).toMatchObject({ status: 'SETTLED' });
    const statuses = (await timeline('late')).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['FILLED', 'PENDING', 'PENDING', 'SETTLED']);
  });

  it('keeps all events when they are more than the state of the entity holds', async () => {
    const statuses = Array.from({ length: 10 }, (_, second) => report('many', 'PENDING', second));
    expect(await store(statuses)).toEqual([]);
    expect(await store([report('many', 'FILLED', 9)])).toEqual([]);
    expect(await timeline('many')).toHaveLength(11);
    expect(await read('many')).toMatchObject({ status: 'FILLED', version: firstVersion + 10 });
  });
});

describe('failure modes: of the records, only the one with hanging calls fails', () => {
  afterEach(() => vi.useRealTimers());

  it.each(['UpdateItem', 'PutItem'])('fails no other record when its %s has no answer', async (operation) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const orders = Array.from({ length: 10 }, (_, index) => `hanging-${operation}-${index}`);
    let calls = 0;
    emulators.watch((moment) => {
      if (moment.when !== 'before' || moment.operation !== operation) return undefined;
      calls += 1;
      return calls === 5 ? new Promise<void>(() => undefined) : undefined;
    });
    const batch = orders.map((id) => report(id, 'PENDING', 1));
    const storing = createStoreFunction(emulators).store(batch, 30_000);
    for (let second = 0; second < 28; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await setImmediate();
    }
    emulators.unwatch();
    expect(await storing).toEqual([4]);
    const statuses = (await Promise.all(orders.map(read))).map((entity) => entity?.status);
    expect(statuses.filter((status) => status === 'PENDING')).toHaveLength(9);
  });
});

describe('failure modes: a failure in a shared call fails only its own record', () => {
  const batch = (name: string) => ['x', 'y', 'z'].map((letter) => report(`${name}-${letter}`, 'PENDING', 1));
  const states = async (name: string) =>
    (await Promise.all(['x', 'y', 'z'].map((letter) => read(`${name}-${letter}`)))).map(
      (entity?: Entity) => entity?.status,
    );

  it.each(['UpdateItem', 'PutItem'])('fails only the record whose %s is throttled', async (operation) => {
    let calls = 0;
    emulators.watch((moment) => {
      if (moment.when !== 'before' || moment.operation !== operation) return;
      calls += 1;
      if (calls === 2) throw new Error('The call is throttled.');
    });
    expect(await store(batch(operation))).toEqual([1]);
    expect(await states(operation)).toEqual(['PENDING', undefined, 'PENDING']);
    emulators.unwatch();
    expect(await store(batch(operation).slice(1, 2))).toEqual([]);
    expect(await states(operation)).toEqual(['PENDING', 'PENDING', 'PENDING']);
  });

  it('fails only the record whose event the bus rejects', async () => {
    let rejections = 1;
    const eventBridge = {
      send: async ({ input }: { readonly input: { readonly Entries: readonly unknown[] } }) => ({
        FailedEntryCount: rejections,
        Entries: input.Entries.map((_, index) =>
          index === 1 && rejections-- > 0 ? { ErrorCode: 'InternalFailure' } : { EventId: String(index) },
        ),
      }),
    } as unknown as Emulators['eventBridge'];
    const one = createStoreFunction({ ...emulators, eventBridge });
    expect(await one.store(batch('bus'))).toEqual([1]);
    expect(await one.store(batch('bus').slice(1, 2))).toEqual([]);
  });

  it('fails only the record whose entity DynamoDB leaves unprocessed', async () => {
    const send = async (command: { readonly constructor: { readonly name: string }; readonly input: never }) => {
      const answer = await emulators.dynamodb.send(command as never);
      if (command.constructor.name !== 'BatchGetItemCommand') return answer;
      const { RequestItems } = command.input as { readonly RequestItems: Record<string, { Keys: unknown[] }> };
      const left = Object.entries(RequestItems).map(([table, { Keys }]) => [
        table,
        { Keys: Keys.filter((key) => JSON.stringify(key).includes('left-y')) },
      ]);
      return { ...(answer as object), UnprocessedKeys: Object.fromEntries(left) };
    };
    const dynamodb = { send } as unknown as Emulators['dynamodb'];
    await store(batch('left'));
    expect(await createStoreFunction({ ...emulators, dynamodb }).store(batch('left'))).toEqual([1]);
  });

  it('fails only the message that Drawbridge did not write', async () => {
    const [one = '', two = ''] = batch('poison');
    // In a batch whose time never ends: the others do not wait for the record that failed.
    const endless = 1_000_000_000;
    expect(await createStoreFunction(emulators).store([one, 'Erika Mustermann', two], endless)).toEqual([1]);
    expect(await states('poison')).toEqual(['PENDING', 'PENDING', undefined]);
  });

  it('fails every record when a shared call as a whole fails', async () => {
    emulators.watch(({ when, operation }) => {
      if (when === 'before' && operation === 'BatchGetItem') throw new Error('DynamoDB is down.');
    });
    expect(await store(batch('down'))).toEqual([0, 1, 2]);
    emulators.unwatch();
    expect(await store(batch('down'))).toEqual([]);
    expect(await states('down')).toEqual(['PENDING', 'PENDING', 'PENDING']);
  });
});

describe('promise 2: a batch has its effect however often it crashes on the way', () => {
  it.each(['before', 'after'] as const)(
    'completes after an end %s any call, once its messages come again',
    async (when) => {
      for (let nth = 1; ; nth += 1) {
        const name = `crash-${when}-${nth}`;
        const batch = [
          report(`${name}-a`, 'RECEIVED', 1),
          report(`${name}-a`, 'FILLED', 2),
          report(`${name}-b`, 'PENDING', 1),
          report(`${name}-b`, 'PENDING', 1, 'another'),
        ];
        const published: string[] = [];
        let calls = 0;
        emulators.watch((moment) => {
          if (moment.when === when) calls += 1;
          if (moment.when === when && calls >= nth) throw new Error('The function ends.');
          if (moment.when === 'after') published.push(...changesIn(moment));
        });
        const failed = await store(batch);
        const atCrash = calls;
        emulators.watch((moment) => {
          if (moment.when === 'after') published.push(...changesIn(moment));
        });
        const again = failed.map((index) => batch[index] ?? '');
        expect(await store(again)).toEqual([]);
        emulators.unwatch();
        expect(await read(`${name}-a`)).toMatchObject({ status: 'FILLED', version: firstVersion + 1 });
        expect(await read(`${name}-b`)).toMatchObject({ status: 'PENDING', version: firstVersion });
        expect([...new Set(published)].toSorted()).toEqual([
          `${name}-a 1 RECEIVED`,
          `${name}-a 2 FILLED`,
          `${name}-b 1 PENDING`,
        ]);
        if (failed.length === 0) {
          expect(atCrash).toBeGreaterThan(6);
          return;
        }
      }
    },
  );
});
