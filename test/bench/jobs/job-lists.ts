import { orderBody, orderType } from '#test/bench/webhooks.ts';

/** The URL below which the webhooks of the bench are registered. */
export const webhooksUrl = 'https://api.partner.example/webhooks';

const hexOf = (index: number) => index.toString(16).padStart(12, '0');
const base = Date.parse('2026-01-02T00:00:00Z');

/** A record of the platform's list of undelivered webhooks, with an order of its own. */
export function undeliveredRecord(index: number): object {
  const createdOn = new Date(base + index * 100).toISOString();
  return {
    id: `00000000-0000-4000-8000-${hexOf(index)}`,
    webhook: {
      eventType: orderType,
      url: `${webhooksUrl}/${orderType}`,
      headers: [{ name: 'x-webhook-secret', value: 'b'.repeat(64) }],
    },
    body: orderBody(`bench-${index}`, 0),
    errorMessage: 'The endpoint answered 503.',
    createdOn,
    modifiedOn: createdOn,
  };
}

export const personId = (index: number) => `00000000-0000-4000-9000-${hexOf(index)}`;
export const personStatus = 'ACTIVE';
export const personModifiedOn = '2026-01-02T00:00:00.000Z';

/** A person of the platform's list. */
export function person(index: number): object {
  return {
    naturalPersonId: personId(index),
    externalId: `bench-${index}`,
    naturalPersonStatus: personStatus,
    createdOn: personModifiedOn,
    modifiedOn: personModifiedOn,
    firstName: 'Erika',
    lastName: 'Mustermann',
    nationalities: ['DE'],
    address: { street: 'Heidestraße 17', city: 'Köln', postalCode: '51147', country: 'DEU' },
  };
}

/** A page of a list of so many elements. The cursor is the place where the page begins. */
export function pageOf(element: (index: number) => object, size: number, url: URL): object {
  const start = Number(url.searchParams.get('cursor') ?? 0);
  const limit = Number(url.searchParams.get('limit'));
  const end = Math.min(size, start + limit);
  const data = Array.from({ length: Math.max(0, end - start) }, (_, index) => element(start + index));
  return { data, pagination: { cursor: end < size ? String(end) : '', limit } };
}
