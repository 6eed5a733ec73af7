import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { createTestStores } from '#test/shared/events/test-stores.ts';
import { createStoreFunction, detailsIn, messageOf, orderType, receivedOn } from './store-function.ts';

let emulators: Emulators;
beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());
afterEach(() => emulators.unwatch());

const kinds = {
  [orderType]: { kind: 'order', id: 'orderId' },
  TRANSFER_NOTIFICATION: { kind: 'transfer', id: 'transferId' },
  NATURAL_PERSON_NOTIFICATION: { kind: 'natural-person', id: 'naturalPersonId' },
  IDENTIFICATION_VERIFICATION_NOTIFICATION: {
    kind: 'identification-verification',
    id: 'identificationVerificationId',
  },
} as const;

const modifiedOn = '2026-01-02T03:00:00Z';
let count = 0;

/** Stores a webhook about an entity: what its row, its timeline, the bus and the log then have. */
async function store(eventType: keyof typeof kinds, body: object) {
  const published: string[] = [];
  emulators.watch((moment) => {
    if (moment.when === 'before') published.push(...detailsIn(moment));
  });
  count += 1;
  const { kind, id: name } = kinds[eventType];
  const id = `entity-${count}`;
  const { store: handle, lines } = createStoreFunction(emulators);
  expect(await handle([messageOf({ [name]: id, ...body }, `d-${count}`, eventType)])).toEqual([]);
  const stores = createTestStores(emulators, () => new Date(receivedOn), emulators.tableNameOf('entities'));
  const { read, timeline } = stores.entityStore;
  return {
    row: (await read({ kind, id }))?.reasonCodes,
    timeline: (await timeline({ kind, id })).map(({ reasonCodes }) => reasonCodes),
    bus: published.map((detail) => JSON.parse(detail).reasonCodes),
    said: published.join() + lines(),
  };
}

describe('why the platform gave an entity its status', () => {
  const rejected = { status: 'REJECTED', modifiedOn };
  const described = (errorType: string) => ({ errorType, description: 'Erika Mustermann is unknown' });
  const people = 'NATURAL_PERSON_NOTIFICATION';

  it.each<[keyof typeof kinds, object, readonly string[] | undefined]>([
    [orderType, { ...rejected, message: 'Erika Mustermann has too little', code: 'ORD_17' }, ['ORD_17']],
    ['TRANSFER_NOTIFICATION', { ...rejected, rejectReason: 'INSUFFICIENT_BALANCE' }, ['INSUFFICIENT_BALANCE']],
    [people, { status: 'INVALID', modifiedOn, validationError: described('NAME_INVALID') }, ['NAME_INVALID']],
    [
      'IDENTIFICATION_VERIFICATION_NOTIFICATION',
      { status: 'FAILED', modifiedOn, code: 'DOCUMENT_EXPIRED', reason: 'MUSTERMANN' },
      ['DOCUMENT_EXPIRED'],
    ],
    [people, { status: 'REVIEW', modifiedOn, message: 'MUSTERMANN' }, undefined],
  ])('reaches row, timeline and bus as codes: %s %j', async (eventType, body, reasons) => {
    const stored = await store(eventType, body);
    expect([stored.row, stored.timeline]).toEqual([reasons, [reasons]]);
    expect(new Set(stored.bus.map((one) => one?.join()))).toEqual(new Set([reasons?.join()]));
    expect(stored.said).not.toMatch(/erika|mustermann|too/i);
  });
});
