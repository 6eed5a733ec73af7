import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
let stacks: HostedStacks;

beforeAll(async () => {
  stacks = await startHostedStacks();
});
afterAll(() => stacks.host.close());

type Looked = { readonly status: number; readonly json: Readonly<Record<string, unknown>> };

async function query(path: string): Promise<Looked> {
  const answer = await fetch(`${stacks.host.place.apiOrigin}${path}`);
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

/** An order that the platform has told of: placed, then filled, and the first once more. */
async function tellOfOrder() {
  const id = randomUUID();
  const told = (status: string, minute: number) =>
    JSON.stringify({ orderId: id, status, modifiedOn: `2026-01-02T03:0${minute}:00.000Z` });
  const bodies = { pending: told('PENDING', 1), filled: told('FILLED', 2) };
  for (const body of [bodies.pending, bodies.filled, bodies.pending])
    expect((await stacks.deliver(orders, body)).status).toBe(200);
  await expect.poll(() => query(`/entities/order/${id}`)).toMatchObject({ json: { status: 'FILLED' } });
  return { id, ...bodies };
}

async function eventsOf(id: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { json } = await query(`/entities/order/${id}/timeline`);
  return (json['events'] ?? []) as readonly Readonly<Record<string, unknown>>[];
}

describe("issue 5: a partner's own system looks up what is known, and how it came to be", () => {
  it('the order, the events that spoke of it, and what each of them said', async () => {
    const { id, pending, filled } = await tellOfOrder();
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

  it('404 for what nobody has told of', async () => {
    expect(await query(`/entities/order/${randomUUID()}`)).toMatchObject({ status: 404 });
    expect(await query(`/entities/wallet/${randomUUID()}`)).toMatchObject({ status: 404 });
    expect(await query(`/events/${'0'.repeat(64)}`)).toMatchObject({ status: 404 });
  });

  it('400 for what cannot be an id, escapes and all', async () => {
    for (const id of ['a%20b', 'a%2Fb', '%00', '%E4', '..%2F']) {
      expect(await query(`/entities/order/${id}`), id).toMatchObject({ status: 400 });
    }
  });

  it('promise 8: no id of an entity and nothing of a body stands in the log', async () => {
    const { id } = await tellOfOrder();
    await query(`/entities/order/${id}/timeline`);
    expect(stacks.log.join('\n')).not.toContain(id);
  });
});
