import { expect, it } from 'vitest';
import * as z from 'zod';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import { readStoredBodies } from '#cli/platform/recording/read-stored-bodies.ts';

const receivedOn = '2026-01-02T03:04:05Z';

/** Ids as the API has them. */
const events = ['USER_NOTIFICATION', 'LOAN_NOTIFICATION'].flatMap((eventType, type) =>
  [0, 1, 2, 3].map((index) => ({ eventId: `${type}${index}`.padEnd(64, 'a'), eventType, receivedOn })),
);

it('reads the bodies of the latest three events of each type, also of types that the profile does not have', async () => {
  const api: ApiClient = {
    send: async ({ path, query = {} }, schema) => {
      const { eventType, limit } = query;
      const items = events.filter((event) => eventType === undefined || event.eventType === eventType);
      const event = events.find(({ eventId }) => path === `/events/${eventId}`);
      const answer = event
        ? { ...event, deliveries: 1, body: event.eventId }
        : { items: items.slice(0, Number(limit)) };
      return z.parse(schema, answer);
    },
  };
  const bodies = await readStoredBodies(api, { eventTypes: ['USER_NOTIFICATION', 'RE_TOKEN_PRICES'] });
  expect(bodies.map(({ body }) => body.slice(0, 2)).toSorted()).toEqual(['00', '01', '02', '10', '11', '12']);
});
