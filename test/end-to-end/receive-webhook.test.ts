import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxDepth } from '#shared/events/json-text.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
/** An event type without an entity: the body may be any object. */
const customers = 'CUSTOMER_NOTIFICATION';
let stacks: HostedStacks;

beforeAll(async () => {
  stacks = await startHostedStacks();
});
afterAll(() => stacks.host.close());

/** Finds the event that was stored with exactly these bytes. */
async function storedWith(body: string | Uint8Array) {
  const wanted = Buffer.from(body);
  return (await stacks.events()).find((row) => wanted.equals(inflateBody(row.deflatedBody)));
}

describe('receive answers 200 with an empty body', () => {
  it('stores the body of a webhook byte for byte, with its event type', async () => {
    const body = '{ "orderId": "a",\n  "status":"FILLED" }';
    const answer = await stacks.deliver(orders, body);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
    await expect
      .poll(() => storedWith(body))
      .toMatchObject({ eventType: orders, deliveries: 1, quarantineReason: undefined });
  });

  it('stores the bytes of a body that API Gateway passes on in base64', async () => {
    const body = Buffer.from([0x7b, 0x7d, 0x0a, 0x20]);
    expect((await stacks.deliver(customers, body, { 'content-type': 'application/octet-stream' })).status).toBe(200);
    await expect.poll(() => storedWith(body)).toMatchObject({ quarantineReason: undefined });
  });
});

describe('store quarantines an event that it cannot assign to an entity', () => {
  it.each([
    ['is not JSON', 'status=FILLED', 'NOT_JSON'],
    ['is empty', '', 'NOT_JSON'],
    ['is invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'NOT_JSON'],
    ['is a list', '[{"orderId":"b"}]', 'NOT_AN_OBJECT'],
    ['names no order', '{"status":"FILLED"}', 'NO_ENTITY_ID'],
    ['names an order by a number that a double cannot hold', '{"orderId":9007199254740993}', 'UNUSABLE_ENTITY_ID'],
    ['is nested 100,000 levels deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'NESTED_TOO_DEEP'],
  ])('stores and quarantines a body that %s', async (_, body, reason) => {
    expect((await stacks.deliver(orders, body)).status).toBe(200);
    await expect.poll(() => storedWith(body)).toMatchObject({ quarantineReason: reason });
  });

  it('stores and quarantines a webhook with an unknown event type', async () => {
    const body = '{"walletId":"w"}';
    expect((await stacks.deliver('SHARED_WALLET_NOTIFICATION', body)).status).toBe(200);
    await expect
      .poll(() => storedWith(body))
      .toMatchObject({
        eventType: 'SHARED_WALLET_NOTIFICATION',
        quarantineReason: 'UNKNOWN_EVENT_TYPE',
      });
  });
});

describe('store accepts unusual JSON', () => {
  it.each([
    ['with __proto__ keys', '{"__proto__":{"isAdmin":true},"constructor":{"prototype":1}}'],
    ['with numbers above 2^53', '{"orderId":9007199254740993,"amount":1e400}'],
    ['with the maximum depth', `${'{"a":'.repeat(maxDepth)}1${'}'.repeat(maxDepth)}`],
    ['of 1 MiB', JSON.stringify({ message: 'x'.repeat(1024 * 1024) })],
  ])('stores a body %s without quarantine', async (_, body) => {
    expect((await stacks.deliver(customers, body)).status).toBe(200);
    await expect.poll(() => storedWith(body)).toMatchObject({ quarantineReason: undefined });
  });

  it('stores two events for two numbers that are equal as doubles', async () => {
    const [one, other] = ['{"n":9007199254740992}', '{"n":9007199254740993}'];
    await Promise.all([stacks.deliver(orders, one), stacks.deliver(orders, other)]);
    await expect
      .poll(async () => [await storedWith(one), await storedWith(other)])
      .toEqual([expect.objectContaining({ deliveries: 1 }), expect.objectContaining({ deliveries: 1 })]);
  });
});

describe('receive rejects a request without writing anything', () => {
  const canary = 'canary-7f3a';

  async function expectNothingWritten(): Promise<void> {
    await expect.poll(() => stacks.backlog('webhooks')).toBe(0);
    expect(await storedWith(JSON.stringify({ canary }))).toBeUndefined();
    expect(stacks.log.join('\n')).not.toContain(canary);
  }

  it.each([
    ['without the secret', { 'x-drawbridge-secret': '' }],
    ['with a wrong secret', { 'x-drawbridge-secret': canary.repeat(6) }],
  ])('rejects a webhook %s with 401', async (_, headers) => {
    expect((await stacks.deliver(orders, JSON.stringify({ canary }), headers)).status).toBe(401);
    await expectNothingWritten();
  });

  it('returns 413 for a body that is too large to keep', async () => {
    const body = JSON.stringify({ canary, noise: randomBytes(1024 * 1024).toString('base64') });
    expect((await stacks.deliver(orders, body)).status).toBe(413);
    await expectNothingWritten();
    expect(await storedWith(body)).toBeUndefined();
  });

  it.each([
    ['GET', `/webhooks/sandbox/${orders}`],
    ['POST', `/webhooks/${orders}`],
    ['POST', `/webhooks/other/${orders}`],
    ['POST', '/webhooks'],
    ['POST', `/webhooks/sandbox/${orders}/more`],
    ['POST', '/'],
  ])('returns 404 for %s %s', async (method, path) => {
    expect((await fetch(`${stacks.host.place.apiOrigin}${path}`, { method })).status).toBe(404);
  });
});
