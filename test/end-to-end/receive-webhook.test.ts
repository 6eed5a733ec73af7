import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxDepth } from '#shared/events/json-text.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
/** Of a type that speaks of no entity: a body may be any object. */
const customers = 'CUSTOMER_NOTIFICATION';
let stacks: HostedStacks;

beforeAll(async () => {
  stacks = await startHostedStacks();
});
afterAll(() => stacks.host.close());

/** The event that was stored with exactly these bytes. */
async function storedWith(body: string | Uint8Array) {
  const wanted = Buffer.from(body);
  return (await stacks.events()).find((row) => wanted.equals(inflateBody(row.deflatedBody)));
}

describe('section 6: a webhook is answered 200 with no body, and is then an event', () => {
  it('keeps the body byte for byte, with its type and when it came', async () => {
    const body = '{ "orderId": "a",\n  "status":"FILLED" }';
    const answer = await stacks.deliver(orders, body);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
    await expect
      .poll(() => storedWith(body))
      .toMatchObject({ eventType: orders, deliveries: 1, quarantineReason: undefined });
  });

  it('keeps the bytes that API Gateway hands over in base64', async () => {
    const body = Buffer.from([0x7b, 0x7d, 0x0a, 0x20]);
    expect((await stacks.deliver(customers, body, { 'content-type': 'application/octet-stream' })).status).toBe(200);
    await expect.poll(() => storedWith(body)).toMatchObject({ quarantineReason: undefined });
  });
});

describe('design: what is no JSON object, cannot be placed, or is of an unknown type, is stored all the same, in quarantine', () => {
  it.each([
    ['no JSON', 'status=FILLED', 'NOT_JSON'],
    ['empty', '', 'NOT_JSON'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'NOT_JSON'],
    ['a list', '[{"orderId":"b"}]', 'NOT_AN_OBJECT'],
    ['of no order', '{"status":"FILLED"}', 'NO_ENTITY_ID'],
    ['of an order whose id a double cannot hold', '{"orderId":9007199254740993}', 'UNUSABLE_ENTITY_ID'],
    ['nested 100,000 deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'NESTED_TOO_DEEP'],
  ])('%s', async (_, body, reason) => {
    expect((await stacks.deliver(orders, body)).status).toBe(200);
    await expect.poll(() => storedWith(body)).toMatchObject({ quarantineReason: reason });
  });

  it('a type that nobody has heard of', async () => {
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

describe('failure modes: odd JSON neither crashes nor changes anything', () => {
  it.each([
    ['__proto__ keys', '{"__proto__":{"isAdmin":true},"constructor":{"prototype":1}}'],
    ['numbers beyond 2^53', '{"orderId":9007199254740993,"amount":1e400}'],
    ['as deep as is allowed', `${'{"a":'.repeat(maxDepth)}1${'}'.repeat(maxDepth)}`],
    ['1 MiB', JSON.stringify({ message: 'x'.repeat(1024 * 1024) })],
  ])('%s', async (_, body) => {
    expect((await stacks.deliver(customers, body)).status).toBe(200);
    await expect.poll(() => storedWith(body)).toMatchObject({ quarantineReason: undefined });
  });

  it('two numbers that a double cannot tell apart are two events', async () => {
    const [one, other] = ['{"n":9007199254740992}', '{"n":9007199254740993}'];
    await Promise.all([stacks.deliver(orders, one), stacks.deliver(orders, other)]);
    await expect
      .poll(async () => [await storedWith(one), await storedWith(other)])
      .toEqual([expect.objectContaining({ deliveries: 1 }), expect.objectContaining({ deliveries: 1 })]);
  });
});

describe('promise 8: what cannot prove itself, or cannot be kept, writes nothing', () => {
  const canary = 'canary-7f3a';

  async function expectNothingKept(): Promise<void> {
    await expect.poll(() => stacks.backlog('webhooks')).toBe(0);
    expect(await storedWith(JSON.stringify({ canary }))).toBeUndefined();
    expect(stacks.log.join('\n')).not.toContain(canary);
  }

  it.each([
    ['without the secret', { 'x-drawbridge-secret': '' }],
    ['with another secret', { 'x-drawbridge-secret': canary.repeat(6) }],
  ])('401 %s', async (_, headers) => {
    expect((await stacks.deliver(orders, JSON.stringify({ canary }), headers)).status).toBe(401);
    await expectNothingKept();
  });

  it('413 for a body that could not be kept', async () => {
    const body = JSON.stringify({ canary, noise: randomBytes(1024 * 1024).toString('base64') });
    expect((await stacks.deliver(orders, body)).status).toBe(413);
    await expectNothingKept();
    expect(await storedWith(body)).toBeUndefined();
  });

  it.each([
    ['GET', `/webhooks/sandbox/${orders}`],
    ['POST', `/webhooks/${orders}`],
    ['POST', `/webhooks/other/${orders}`],
    ['POST', '/webhooks'],
    ['POST', `/webhooks/sandbox/${orders}/more`],
    ['POST', '/'],
  ])('404 for %s %s', async (method, path) => {
    expect((await fetch(`${stacks.host.place.apiOrigin}${path}`, { method })).status).toBe(404);
  });
});
