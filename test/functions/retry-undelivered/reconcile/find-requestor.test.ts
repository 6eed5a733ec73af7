import { describe, expect, it } from 'vitest';
import { createFindRequestor, type EntityToRead } from '#functions/retry-undelivered/reconcile/find-requestor.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import { deflateBody } from '#shared/events/webhook-delivery.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const [person, partner, reader] = ['a', 'b', 'c'].map((last) => `0190a6f0-1234-7abc-8def-00000000000${last}`);
const id = '0190a6f0-1234-7abc-8def-00000000000d';

describe('the requestor by whom reconcile reads a verification or a transfer', () => {
  it.each<[string, EntityToRead['kind'], string | undefined, object, string | undefined | 'unknown']>([
    ['the person itself', 'identification-verification', 'self', {}, person],
    ['the requestor of the onboardings', 'identification-verification', partner, {}, partner],
    ['whom the profile names', 'identification-verification', 'self', { verifications: reader }, reader],
    ['no one, when the profile says so', 'identification-verification', partner, { verifications: 'none' }, undefined],
    ['the person itself, when the profile says so', 'transfer', partner, { transfers: 'self' }, person],
    ['whom the profile names for its kind', 'transfer', partner, { verifications: reader }, partner],
  ])('is %s', async (_, kind, requestor, requestors, requestorId) => {
    const findRequestor = createFindRequestor({
      entityStore: { timeline: async () => [] },
      eventStore: { read: async () => undefined },
      requestor: requestor ?? 'self',
      requestors: platformProfile.parse({ requestors }).requestors,
      places: {},
    });
    expect(await findRequestor({ kind, id, naturalPersonId: person })).toEqual({ requestorId });
    const isOfPerson = requestorId === person;
    expect(await findRequestor({ kind, id })).toEqual(isOfPerson ? 'unknown' : { requestorId });
  });

  it.each<[EntityToRead['kind'], string]>([
    ['transfer', 'TRANSFER_NOTIFICATION'],
    ['identification-verification', 'IDENTIFICATION_VERIFICATION_NOTIFICATION'],
  ])('is the person in a webhook, inside of the wrapper that the profile names: %s', async (kind, eventType) => {
    const { places } = platformProfile.parse({ places: { [eventType]: { kind, wrappers: ['payload'] } } });
    const deflatedBody = deflateBody(Buffer.from(JSON.stringify({ payload: { naturalPersonId: person } })));
    const findRequestor = createFindRequestor({
      entityStore: { timeline: async () => [{ eventId: 'e', receivedOn: '', effect: 'applied' }] },
      eventStore: { read: async () => ({ deflatedBody }) as EventRow },
      requestor: 'self',
      places,
    });
    expect(await findRequestor({ kind, id })).toEqual({ requestorId: person });
  });
});
