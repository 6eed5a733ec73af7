import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import {
  type BusEvent,
  type ConsumerOptions,
  createConsumer,
  inMemorySequences,
  type MessageOutcome,
} from '#package/exports/events.ts';
import { unhandledRejections } from '#test/package/unhandled-rejections.ts';
import { eventId, message, orderDetail } from './sample-events.ts';

/** A consumer that keeps what it handles, and the outcomes. */
function consumer(options: Partial<ConsumerOptions> = {}) {
  const handled: BusEvent[] = [];
  const outcomes: MessageOutcome[] = [];
  const keep = async (event: BusEvent) => handled.push(event);
  const consume = createConsumer({
    handlers: { OrderStatusChanged: keep, OrderUpdated: keep, DriftRepaired: keep, OrderValidationFailed: keep },
    sequences: inMemorySequences(),
    onMessage: (outcome) => outcomes.push(outcome),
    ...options,
  });
  return { handled, outcomes, consume: (...Records: object[]) => consume({ Records }) };
}

const changed = (messageId: string, id: string, sequence: number, more: object = {}) =>
  message(messageId, 'OrderStatusChanged', orderDetail(id, sequence, more));
const all = { batchItemFailures: [] };
const failures = (...ids: string[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

describe('a consumer of bus events', () => {
  it('handles the changes of an entity in order, once each, and others of the batch beside them', async () => {
    const { consume, handled } = consumer();
    expect(
      await consume(changed('1', 'a', 3), changed('2', 'a', 1), changed('3', 'a', 3), changed('4', 'b', 1)),
    ).toEqual(all);
    const places = handled.map(({ detail }) => Object.values(detail).slice(1, 3).join(' '));
    expect(places.filter((place) => place.startsWith('a'))).toEqual(['a 1', 'a 3']);
    expect(places).toContain('b 1');
  });

  it('drops in a later batch what is not above the sequence that took effect', async () => {
    const { consume, handled, outcomes } = consumer();
    await consume(changed('1', 'a', 3));
    expect(await consume(changed('2', 'a', 3), changed('3', 'a', 2))).toEqual(all);
    expect(handled).toHaveLength(1);
    expect(outcomes.slice(1).map(({ outcome }) => outcome)).toEqual(['stale', 'stale']);
  });

  it('returns only the messages whose handlers failed, and hands them over again', async () => {
    let fails = true;
    const OrderStatusChanged = async ({ detail }: { readonly detail: { readonly id: string } }) => {
      if (detail.id === 'a' && fails) throw new Error('the database is down');
    };
    const { consume, outcomes } = consumer({ handlers: { OrderStatusChanged } });
    expect(await consume(changed('1', 'a', 1), changed('2', 'b', 1))).toEqual(failures('1'));
    expect(outcomes).toContainEqual(expect.objectContaining({ outcome: 'failed', key: 'order#a', sequence: 1 }));
    fails = false;
    expect(await consume(changed('1', 'a', 1))).toEqual(all);
  });

  it.each([
    ['is not JSON', { messageId: '1', body: 'no JSON' }],
    ['is of another source', message('1', 'OrderStatusChanged', orderDetail('a', 1), { source: 'other' })],
    ['has a detail-type that is not known', message('1', 'OrderEaten', orderDetail('a', 1))],
    ['has a detail-type of every object', message('1', 'constructor', orderDetail('a', 1))],
    ['has a detail without a sequence', message('1', 'OrderStatusChanged', { kind: 'order', id: 'a' })],
    ['has the kind of another entity', message('1', 'OrderStatusChanged', orderDetail('a', 1, { kind: 'transfer' }))],
    ['has no handler', message('1', 'EventReceived', { eventId, eventType: 'X', receivedOn: '2026-01-02T03:04:05Z' })],
  ])('returns a message that %s, so that it reaches the dead-letter queue, and handles the rest', async (_, bad) => {
    const { consume, handled, outcomes } = consumer();
    expect(await consume(bad, changed('2', 'a', 1))).toEqual(failures('1'));
    expect(handled).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ outcome: 'failed', error: { name: 'BusEventError' } });
  });

  it('takes new words and further fields of a later release', async () => {
    const { consume, handled } = consumer();
    const later = { status: 'A_NEW_WORD', transactionStatus: 'ANOTHER', extra: { a: 1 } };
    expect(await consume(changed('1', 'a', 1, later))).toEqual(all);
    expect(handled).toMatchObject([{ detail: later }]);
  });

  it('handles a repaired drift beside the change of the same sequence', async () => {
    const { consume, handled } = consumer();
    const drift = { kind: 'order', id: 'a', sequence: 1, differed: ['status'], eventId };
    expect(await consume(changed('1', 'a', 1), message('2', 'DriftRepaired', drift))).toEqual(all);
    expect(handled).toHaveLength(2);
  });

  it('handles an event without a sequence once', async () => {
    const { consume, handled } = consumer();
    const refusal = message('1', 'OrderValidationFailed', { kind: 'order', id: 'a', eventId });
    expect(await consume(refusal, { ...refusal, messageId: '2' })).toEqual(all);
    expect(handled).toHaveLength(1);
  });

  it('returns a message while another run holds its entity', async () => {
    const sequences = inMemorySequences(() => 0);
    const { promise: stop, resolve: release } = Promise.withResolvers<void>();
    const slow = consumer({ sequences, handlers: { OrderStatusChanged: () => stop } });
    const first = slow.consume(changed('1', 'a', 1));
    const { consume, outcomes } = consumer({ sequences });
    expect(await consume(changed('2', 'a', 2))).toEqual(failures('2'));
    expect(outcomes).toMatchObject([{ outcome: 'held' }]);
    release();
    expect(await first).toEqual(all);
    expect(await consume(changed('2', 'a', 2))).toEqual(all);
  });

  it('writes a failure with its message id and its error where no hook is given', async () => {
    const write = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => write.mockRestore());
    const OrderStatusChanged = async () => {
      throw new RangeError('the database is full');
    };
    const consume = createConsumer({ handlers: { OrderStatusChanged }, sequences: inMemorySequences() });
    await consume({ Records: [changed('1', 'a', 1)] });
    const [[line]] = z.tuple([z.tuple([z.string()])]).parse(write.mock.calls);
    expect(JSON.parse(line)).toMatchObject({
      message: 'bus event failed',
      messageId: '1',
      key: 'order#a',
      error: { name: 'RangeError', message: 'the database is full' },
    });
  });

  it('says what it expects when it is created without a store, or gets no batch of SQS', async () => {
    expect(() => createConsumer(JSON.parse('{"handlers":{}}'))).toThrow('createConsumer expects { handlers:');
    expect(() => createConsumer(undefined as never)).toThrow('createConsumer expects { handlers:');
    const misspelt = { handlers: { OrderStatusChangd: async () => undefined }, sequences: inMemorySequences() };
    expect(() => createConsumer(misspelt as never)).toThrow('OrderStatusChangd, which is not a detail-type');
    await expect(createConsumer({ handlers: {}, sequences: inMemorySequences() })({ detail: {} })).rejects.toThrow(
      'expects a batch of SQS, { Records: [{ messageId, body }] }',
    );
  });

  it.each([
    ...[Number.NaN, 0, -1, 0.5, '', Number.POSITIVE_INFINITY].map((value) => ['entityConcurrency', value] as const),
    ...[Number.NaN, 0, -1, '', Number.POSITIVE_INFINITY].map((value) => ['maxRunMs', value] as const),
  ])('refuses the option %s of <%s>, with which no handler would run or no claim would end', (name, value) => {
    const create = () => consumer({ [name]: value as number });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(`${name}: must be a positive `);
  });

  it('handles an event in the mode every-change that comes after a newer one, and an event of each sequence once', async () => {
    const { consume, handled, outcomes } = consumer({ mode: 'every-change' });
    await consume(changed('1', 'a', 3));
    await consume(changed('2', 'a', 2), changed('3', 'a', 3));
    expect(handled).toHaveLength(2);
    expect(outcomes.map(({ key, sequence, outcome }) => `${key} ${sequence} ${outcome}`)).toEqual([
      'order#a 3 handled',
      'order#a 2 handled',
      'order#a 3 stale',
    ]);
  });

  it('does not fail a message when the hook throws', async () => {
    const onMessage = () => {
      throw new Error('the hook');
    };
    expect(await consumer({ onMessage }).consume(changed('1', 'a', 1))).toEqual(all);
  });

  it('does not end the process when an async hook rejects', async () => {
    const rejected = unhandledRejections();
    const onMessage = async () => {
      throw new Error('the hook');
    };
    expect(await consumer({ onMessage }).consume(changed('1', 'a', 1))).toEqual(all);
    expect(await rejected()).toEqual([]);
  });
});
