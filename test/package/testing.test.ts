import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import { busEventSchemas, type DetailType, parseBusEvent } from '#package/events/bus-events.ts';
import { createConsumer } from '#package/events/consumer.ts';
import { inMemorySequences } from '#package/events/sequence-store.ts';
import { connectPlatform } from '#package/platform/platform.ts';
import { tokensFromOAuth } from '#package/platform/token-sources.ts';
import { busEvent, sqsBatch } from '#package/testing/bus-event.ts';
import { type Fault, startLaptop, startPlatform, type TestPlatform, triggers } from '#package/testing/sandbox.ts';
import type { fault } from '#sandbox/platform/faults/faults.ts';
import { lifeCycles } from '#sandbox/platform/triggers/life-cycles.ts';
import { quarantineReasons } from '#shared/events/quarantine-remedies.ts';

const detailTypes = Object.keys(busEventSchemas) as DetailType[];

describe('the test kit, by busEvent and sqsBatch', () => {
  it.each(detailTypes)('makes a message that a consumer of %s handles', async (type) => {
    const event = busEvent(type);
    expect(parseBusEvent(event)).toEqual(event);
    const handled: unknown[] = [];
    const handlers = { [type]: async (one: unknown) => handled.push(one) };
    const handler = createConsumer({ handlers, sequences: inMemorySequences() });
    expect(await handler(sqsBatch(event))).toEqual({ batchItemFailures: [] });
    expect(handled).toEqual([event]);
  });

  it('keeps what the test gives, and gives each event an id and each message a name of its own', () => {
    const first = busEvent('TransferStatusChanged', { id: 'transfer-1', status: 'PROCESSED', sequence: 7 });
    expect(first.detail).toMatchObject({ kind: 'transfer', id: 'transfer-1', status: 'PROCESSED', sequence: 7 });
    expect(busEvent('TransferStatusChanged').id).not.toBe(first.id);
    expect(sqsBatch(first, 'no JSON').Records.map(({ messageId }) => messageId)).toEqual(['message-1', 'message-2']);
  });

  it('gives a quarantined event a reason that Drawbridge writes', () => {
    expect(quarantineReasons).toContain(busEvent('EventQuarantined').detail.reason);
  });

  it('refuses a detail that no release publishes', () => {
    expect(() => busEvent('OrderStatusChanged', { sequence: 0 })).toThrow('detail.sequence');
  });
});

describe('startPlatform', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform?.stop());

  it('runs the platform for a client, with triggers, faults and a clock', async () => {
    const { baseUrl } = platform;
    const client = connectPlatform({
      baseUrl,
      tokens: tokensFromOAuth({ authUrl: baseUrl, clientId: 'sandbox', clientSecret: 'sandbox-secret' }),
      wait: async () => undefined,
    });
    const { naturalPersonId = '' } = await platform.trigger('order.filled');
    expect((await client.getNaturalPerson(naturalPersonId)).naturalPersonStatus).toBe('ACTIVE');
    const remove = await platform.fault({ effect: 'ANSWER', status: 400, operation: 'getNaturalPerson' });
    await expect(client.getNaturalPerson(naturalPersonId)).rejects.toMatchObject({ status: 400 });
    await remove();
    expect((await client.getNaturalPerson(naturalPersonId)).naturalPersonId).toBe(naturalPersonId);
    const before = await platform.clock.freeze();
    expect((await platform.clock.advance(3_600)).getTime() - before.getTime()).toBe(3_600_000);
    await expect(platform.control('GET', '/nothing')).rejects.toThrow('404');
  });

  it('has the triggers and the faults of the platform', () => {
    expect([...triggers].toSorted()).toEqual(Object.keys(lifeCycles).toSorted());
    expectTypeOf<Fault>().toExtend<z.input<typeof fault>>();
  });
});

describe('startLaptop', () => {
  it('says what the laptop printed when it does not start', async () => {
    await expect(startLaptop('no-such-app')).rejects.toThrow(/ended before it was ready:\n.*no-such-app/s);
  });
});
