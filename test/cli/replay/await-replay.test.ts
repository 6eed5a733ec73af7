import { expect, it } from 'vitest';
import * as z from 'zod';
import type { ApiClient, ApiRequest } from '#cli/deployment/api-client.ts';
import { describeReplay, idsOfReplay } from '#cli/replay/await-replay.ts';

const quarantined = { UNKNOWN_EVENT_TYPE: 1 };

it.each([
  [2, undefined, '2 events are on the way through Store.'],
  [2, { byReason: {}, isDone: true }, '2 events have their effect.'],
  [2, { byReason: quarantined, isDone: true }, '1 event has its effect. 1 is back in quarantine: UNKNOWN_EVENT_TYPE.'],
  [1, { byReason: quarantined, isDone: false }, '1 is still in quarantine: UNKNOWN_EVENT_TYPE. Store may not be done.'],
] as const)('describes a replay of %i events with the outcome %j: %s', (replayed, outcome, said) => {
  expect(describeReplay(replayed, outcome)).toBe(said);
});

it('follows a replay of quarantine up to the newest counted event, and not a replay of all events', async () => {
  const requests: ApiRequest[] = [];
  const api: ApiClient = {
    send: async (request, schema) => {
      requests.push(request);
      return z.parse(schema, { items: [] });
    },
  };
  const eventIds = ['a'.repeat(64)];
  const receivedTo = '2026-01-02T03:04:05.000Z';
  expect(await idsOfReplay({ api }, { eventIds, events: 'all' }, 1)).toBeUndefined();
  expect(await idsOfReplay({ api }, { eventIds, events: 'quarantined' }, 1)).toEqual(eventIds);
  await idsOfReplay({ api }, { receivedTo, events: 'quarantined' }, 1);
  expect(requests).toMatchObject([{ path: '/events', query: { quarantineReason: 'ANY', receivedTo } }]);
});
