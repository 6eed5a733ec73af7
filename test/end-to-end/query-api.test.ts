import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
let stacks: HostedStacks;

beforeAll(async () => {
  stacks = await startHostedStacks();
});
afterAll(() => stacks.host.close());

type QueryAnswer = { readonly status: number; readonly json: Readonly<Record<string, unknown>> };

async function query(path: string): Promise<QueryAnswer> {
  const answer = await fetch(`${stacks.host.place.apiOrigin}${path}`);
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

/** Delivers three webhooks about an order: PENDING, FILLED, and the first one again. */
async function deliverOrder() {
  const id = randomUUID();
  const bodyOf = (status: string, minute: number) =>
    JSON.stringify({ orderId: id, status, modifiedOn: `2026-01-02T03:0${minute}:00.000Z` });
  const bodies = { pending: bodyOf('PENDING', 1), filled: bodyOf('FILLED', 2) };
  for (const body of [bodies.pending, bodies.filled, bodies.pending])
    expect((await stacks.deliver(orders, body)).status).toBe(200);
  await expect.poll(() => query(`/entities/order/${id}`)).toMatchObject({ json: { status: 'FILLED' } });
  return { id, ...bodies };
}

async function eventsOf(id: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { json } = await query(`/entities/order/${id}/timeline`);
  return (json['events'] ?? []) as readonly Readonly<Record<string, unknown>>[];
}

describe('the query API', () => {
  it('returns an entity, the events of its timeline, and the body of each event', async () => {
    const { id, pending, filled } = await deliverOrder();
    expect(await query(`/entities/order/${id}`)).toMatchObject({
      status: 200,
      json: { kind: 'order', id, status: 'FILLED', modifiedOn: '2026-01-02T03:02:00.000Z', anomalies: [] },
    });
    await expect.poll(() => eventsOf(id)).toHaveLength(2);
    const bodies = await Promise.all(
      (await eventsOf(id)).map(async ({ eventId }) => (await query(`/events/${eventId}`)).json),
    );
    expect(bodies.map(({ body }) => body).toSorted()).toEqual([filled, pending].toSorted());
    expect(bodies).toEqual([
      expect.objectContaining({ eventType: orders, deliveries: expect.any(Number) }),
      expect.objectContaining({ eventType: orders, deliveries: expect.any(Number) }),
    ]);
  });

  it('lists and counts the events in quarantine, and pages the timeline and the body', async () => {
    const eventType = `UNKNOWN_${randomUUID()}`;
    expect((await stacks.deliver(eventType, '{}')).status).toBe(200);
    const listed = () => query(`/events?quarantineReason=UNKNOWN_EVENT_TYPE&eventType=${eventType}`);
    await expect.poll(listed).toMatchObject({ status: 200, json: { items: [{ eventType }] } });
    expect((await query('/quarantine')).json['counts']).toContainEqual(
      expect.objectContaining({ eventType, quarantineReason: 'UNKNOWN_EVENT_TYPE', count: 1 }),
    );
    const { id } = await deliverOrder();
    await expect.poll(() => eventsOf(id)).toHaveLength(2);
    const first = await query(`/entities/order/${id}/timeline?limit=1`);
    const second = await query(`/entities/order/${id}/timeline?cursor=${first.json['nextCursor']}`);
    expect([first, second].map(({ json }) => json['events'])).toEqual((await eventsOf(id)).map((event) => [event]));
    const [{ eventId } = {}] = await eventsOf(id);
    const { json } = await query(`/events/${eventId}/body?from=1`);
    expect(Buffer.from(String(json['bodyBase64']), 'base64').toString()).toMatch(/^"orderId"/);
  });

  it('lists the orders of a status, and all events', async () => {
    const from = encodeURIComponent(new Date().toISOString());
    const { id } = await deliverOrder();
    const [{ eventId } = {}] = await eventsOf(id);
    await expect
      .poll(async () => (await query(`/entities/order?status=FILLED&changedFrom=${from}&limit=200`)).json['items'])
      .toContainEqual(expect.objectContaining({ kind: 'order', id, status: 'FILLED' }));
    await expect
      .poll(async () => (await query(`/events?eventType=${orders}&receivedFrom=${from}&limit=200`)).json['items'])
      .toContainEqual(expect.objectContaining({ eventId, eventType: orders }));
  });

  it('returns 404 for an unknown entity, an unknown kind and an unknown event', async () => {
    expect(await query(`/entities/order/${randomUUID()}`)).toMatchObject({ status: 404 });
    expect(await query(`/entities/wallet/${randomUUID()}`)).toMatchObject({ status: 404 });
    expect(await query(`/events/${'0'.repeat(64)}`)).toMatchObject({ status: 404 });
  });

  it('returns 400 for a text that cannot be an id, percent-encoded texts included', async () => {
    for (const id of ['a%20b', 'a%2Fb', '%00', '%E4', '..%2F']) {
      expect(await query(`/entities/order/${id}`), id).toMatchObject({ status: 400 });
    }
  });

  it('logs neither the id of an entity nor any part of a body', async () => {
    const { id } = await deliverOrder();
    await query(`/entities/order/${id}/timeline`);
    expect(stacks.log.join('\n')).not.toContain(id);
  });
});
