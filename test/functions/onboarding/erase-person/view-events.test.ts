import { expect, it } from 'vitest';
import { createViewEvents, type PersonEvents } from '#functions/onboarding/erase-person/view-events.ts';
import { deflateBody } from '#shared/events/webhook-delivery.ts';
import { answer } from '#shared/lambda/http-api.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

/** In bytes: what Lambda accepts of a function. */
const lambdaLimit = 6 * 1_024 * 1_024;

const transferType = 'TRANSFER_NOTIFICATION';
const row = {
  eventType: transferType,
  receivedOn: '2026-01-02T03:04:05.678Z',
  deflatedBody: deflateBody(Buffer.from(JSON.stringify({ transferId: 't'.repeat(128) }))),
  deliveries: 1,
  deliveryIds: ['d'],
  expiresAt: 0,
  quarantineReason: undefined,
};
const person = { eventType: 'NATURAL_PERSON_NOTIFICATION', of: 'natural-person', rows: [] } as const;
const business = { eventType: transferType, of: 'business', rows: [] } as const;

const many = <Event extends object>(event: Event, count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...event, eventId: String(index).padStart(64, '0') }));

/** What is shown of these events, the bytes of the answer, and the number of events that were read. */
async function view(stored: Partial<PersonEvents>) {
  let reads = 0;
  const viewEvents = createViewEvents({
    eventStore: {
      read: async (eventId) => {
        reads += 1;
        return { ...row, eventId };
      },
    },
    profile: platformProfile.parse({}),
  });
  const shown = await viewEvents({ events: [], unread: [], kept: [], ...stored }, () => true);
  return { ...shown, bytes: Buffer.byteLength(JSON.stringify(answer(200, shown))), reads };
}

it.each([
  ['that an erasure removes', { events: many(person, 45_000) }],
  ['that an erasure keeps', { kept: many(business, 18_000) }],
])('shows as many events as one answer holds, and says that some are missing: those %s', async (_, stored) => {
  const { events, kept, isComplete, bytes, reads } = await view(stored);
  expect(isComplete).toBe(false);
  expect(bytes).toBeLessThan(lambdaLimit - 1_000_000);
  expect(events.length + kept.length).toBeGreaterThan(15_000);
  expect(reads).toBeLessThan(kept.length + 20);
});

it('shows all events that one answer holds', async () => {
  const { events, kept, isComplete } = await view({ events: many(person, 1_000), kept: many(business, 1_000) });
  expect([events.length, kept.length, isComplete]).toEqual([1_000, 1_000, true]);
});
