import { expect, it } from 'vitest';
import { readAbouts, readLatestAbouts } from '#cli/console/reads/event-abouts.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';

const [first, second, without] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
const order = { kind: 'order', id: 'order-1' };
const reported = (eventId: string) => ({
  eventId,
  receivedOn: '2026-01-02T03:04:05Z',
  status: 'FILLED',
  effect: 'duplicate',
});
const about = { entity: order, reported: 'FILLED', effect: 'duplicate', why: 'FILLED was shown already.' };

/** An API with two events about an order and one about none. */
function startApi() {
  const paths: string[] = [];
  const answer = (path: string): unknown => {
    if (path.endsWith('/timeline')) return { ...order, events: [reported(first), reported(second)] };
    if (path.startsWith('/entities/'))
      return { items: path.endsWith('/order') ? [{ ...order, changedOn: '2026-01-02T03:04:05Z' }] : [] };
    const eventId = path.slice('/events/'.length);
    return { eventId, eventType: 'T', receivedOn: '', deliveries: 1, ...(eventId !== without && { entity: order }) };
  };
  const send = async ({ path }: { readonly path: string }) => {
    paths.push(path);
    return answer(path);
  };
  return { api: { send } as unknown as ApiClient, paths };
}

it('says what each event of a list is about and did, with one timeline for each entity', async () => {
  const { api, paths } = startApi();
  expect(await readAbouts(api, [first, second, without])).toEqual({
    [first]: expect.objectContaining(about),
    [second]: expect.objectContaining(about),
    [without]: null,
  });
  expect(paths.filter((path) => path.endsWith('/timeline'))).toEqual(['/entities/order/order-1/timeline']);
});

it('finds the events of a reader, who may not read single events, in the timelines of the latest entities, and leaves out others', async () => {
  const { api, paths } = startApi();
  expect(await readLatestAbouts(api, [second, without])).toEqual({ [second]: expect.objectContaining(about) });
  expect(paths.filter((path) => path.startsWith('/events/'))).toEqual([]);
});
