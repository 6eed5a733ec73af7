import fc from 'fast-check';
import type { WantedRegistrations } from '#functions/webhook-ingest/register/plan-registrations.ts';
import { unknownWord } from '#shared/platform/fields/received.ts';
import type { Webhook } from '#shared/platform/resources/webhooks.ts';

export const [firstSecret, secondSecret, thirdSecret] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
];
export const webhooksUrl = 'https://ours.example/webhooks';
export const header = 'X-Drawbridge-Secret';
const on = '2026-01-02T03:04:05.678Z';

/** All that a test registers: two event types, unless it says so. */
export function wantedWith(change: Partial<WantedRegistrations> = {}): WantedRegistrations {
  return {
    eventTypes: ['PROXY_NOTIFICATION', 'TRANSFER_NOTIFICATION'],
    webhooksUrl,
    header,
    secret: { current: secondSecret },
    ...change,
  };
}

/** A webhook as the platform lists it: as it should be, except what the test says. */
export function webhook(eventType: string, change: Partial<Omit<Webhook, 'eventType'>> = {}): Webhook {
  return {
    createdOn: on,
    modifiedOn: on,
    eventType: unknownWord(eventType),
    url: `${webhooksUrl}/${eventType}`,
    headers: [{ name: header, value: secondSecret }],
    ...change,
  };
}

const eventTypes = ['A', 'B', 'C', 'D', 'E'];
const someTypes = fc.uniqueArray(fc.constantFrom(...eventTypes));
const secret = fc.constantFrom(firstSecret, secondSecret, thirdSecret, '', 'another secret');
const headers = fc.array(
  fc.record({ name: fc.constantFrom(header, header.toLowerCase(), 'X-Former', 'Authorization'), value: secret }),
  { maxLength: 5 },
);
const url = fc.constantFrom(
  ...eventTypes.map((eventType) => `${webhooksUrl}/${eventType}`),
  'https://former.example/webhooks/A',
  'https://another.example/x?key=canary',
  'http://ours.example/webhooks/A',
  'no URL',
);

/** Webhooks of any kind, one for each event type at the most. */
export const someWebhooks: fc.Arbitrary<readonly Webhook[]> = fc.uniqueArray(
  fc
    .record({ eventType: fc.constantFrom(...eventTypes), url, headers: fc.option(headers) })
    .map(({ eventType, ...change }) => webhook(eventType, change)),
  { selector: ({ eventType }) => eventType },
);

/** What may be wanted of them, with and without a rotation. */
export const someWanted: fc.Arbitrary<WantedRegistrations> = fc
  .record({ eventTypes: someTypes, previous: fc.constantFrom(undefined, firstSecret) })
  .map(({ previous, ...rest }) => wantedWith({ ...rest, secret: { current: secondSecret, previous } }));

export const someOptions = fc.record({ takeOver: someTypes, remove: someTypes });
