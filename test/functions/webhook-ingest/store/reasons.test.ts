import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { createTestStores } from '#test/shared/events/test-stores.ts';
import { createStoreFunction, messageOf, orderType, receivedOn } from './store-function.ts';

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

const entries = z.object({ Entries: z.array(z.object({ Detail: z.string() })) });
const modifiedOn = '2026-01-02T03:00:00Z';
let count = 0;

/** Stores webhooks about one entity: what its row, its timeline, the bus and the log then have. */
async function store(eventType: keyof typeof kinds, bodies: readonly object[], places: object = {}) {
  const published: string[] = [];
  emulators.watch((moment) => {
    if (moment.operation === 'PutEvents' && moment.when === 'before')
      published.push(...z.parse(entries, moment.input()).Entries.map(({ Detail }) => Detail));
  });
  count += 1;
  const { kind, id: name } = kinds[eventType];
  const id = `entity-${count}`;
  const profile = platformProfile.parse({ places });
  const { store: handle, lines } = createStoreFunction(emulators, profile);
  for (const [index, body] of bodies.entries())
    expect(await handle([messageOf({ [name]: id, ...body }, `d-${count}-${index}`, eventType)])).toEqual([]);
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
    [orderType, { ...rejected, message: 'INSUFFICIENT_FUNDS', code: 'ORD_17' }, ['INSUFFICIENT_FUNDS', 'ORD_17']],
    [orderType, { ...rejected, message: 'Erika Mustermann has too little', code: 'ORD_17' }, ['ORD_17']],
    [orderType, { ...rejected, message: { code: 'ORD_17', message: 'ERIKA' } }, ['ORD_17']],
    [orderType, { order: { ...rejected, message: 'CLOSED' } }, ['CLOSED']],
    ['TRANSFER_NOTIFICATION', { ...rejected, rejectReason: 'INSUFFICIENT_BALANCE' }, ['INSUFFICIENT_BALANCE']],
    ['TRANSFER_NOTIFICATION', { transfer: { transferStatus: 'REJECTED', rejectReason: 'LIMIT' } }, ['LIMIT']],
    ['TRANSFER_NOTIFICATION', { ...rejected, rejectReason: 'Too little money' }, undefined],
    [people, { status: 'INVALID', modifiedOn, validationError: described('NAME_INVALID') }, ['NAME_INVALID']],
    [
      people,
      { status: 'INVALID', modifiedOn, validationError: [described('NAME_INVALID'), { errors: [described('AGE')] }] },
      ['AGE', 'NAME_INVALID'],
    ],
    [people, { status: 'INVALID', modifiedOn, validationError: described('Erika') }, undefined],
    [
      'IDENTIFICATION_VERIFICATION_NOTIFICATION',
      { status: 'FAILED', modifiedOn, code: 'DOCUMENT_EXPIRED', reason: 'MUSTERMANN' },
      ['DOCUMENT_EXPIRED'],
    ],
    [people, { status: 'REVIEW', modifiedOn, message: 'MUSTERMANN' }, undefined],
    [people, { status: 'REVIEW', modifiedOn, validationError: 'MUSTERMANN', description: 'ERIKA' }, undefined],
    [
      people,
      {
        status: 'INVALID',
        modifiedOn,
        code: ['ERIKA'],
        validationError: {
          ...{ errorType: 'X', errorCode: 'Y', reason: 'MUSTERMANN', message: 'ERIKA', rejectReason: 'ERIKA' },
          ...{ details: ['MUSTERMANN', 'ERIKA', { code: 'AGE', reason: 'ERIKA' }], errors: 'ERIKA' },
        },
      },
      ['AGE', 'X', 'Y'],
    ],
    [
      orderType,
      { ...rejected, code: 'ORD_17', validationError: { errorType: 'X', details: ['MUSTERMANN', ['ERIKA']] } },
      ['ORD_17', 'X'],
    ],
    [
      'TRANSFER_NOTIFICATION',
      { ...rejected, rejectReason: { code: 'LIMIT', details: ['ERIKA'] }, errors: ['MUSTERMANN'] },
      ['LIMIT'],
    ],
    [orderType, { status: 'PENDING', modifiedOn }, undefined],
  ])('reaches row, timeline and bus as codes: %s %j', async (eventType, body, reasons) => {
    const stored = await store(eventType, [body]);
    expect([stored.row, stored.timeline]).toEqual([reasons, [reasons]]);
    expect(new Set(stored.bus.map((one) => one?.join()))).toEqual(new Set([reasons?.join()]));
    expect(stored.said).not.toMatch(/erika|mustermann|too/i);
  });

  it('is read from the fields that the profile names', async () => {
    const places = { [orderType]: { kind: 'order', reason: ['fault'] } };
    const stored = await store(orderType, [{ ...rejected, code: 'OTHER', fault: { faults: [], code: 'F_1' } }], places);
    expect([stored.row, stored.bus]).toEqual([['F_1'], [['F_1']]]);
  });

  it('is of a person read from a text or a list of texts that the profile names', async () => {
    const places = { [people]: { kind: 'natural-person', reason: ['message', 'causes'] } };
    const body = { status: 'INVALID', modifiedOn, message: 'NO_FACE', causes: ['AGE', 'PEP'], reason: 'ERIKA' };
    const stored = await store(people, [body], places);
    expect([stored.row, stored.said.includes('ERIKA')]).toEqual([['AGE', 'NO_FACE', 'PEP'], false]);
  });

  it('is published when it comes after the status, and stays after reports without it', async () => {
    const plain = { status: 'INVALID', modifiedOn };
    const bodies = [plain, { ...plain, validationError: described('AGE') }, { ...plain, notificationType: 'UPDATED' }];
    const { row, bus } = await store(people, bodies);
    expect([row, bus[0], bus[1]]).toEqual([['AGE'], undefined, ['AGE']]);
  });

  it('is that of the status alone: one that comes back has its own', async () => {
    const stored = await store(people, [
      { status: 'SUSPENDED', modifiedOn, code: 'DOCUMENT_EXPIRED' },
      { status: 'ACTIVE', modifiedOn: '2026-01-02T03:00:01Z' },
    ]);
    expect([stored.row, stored.bus]).toEqual([undefined, [['DOCUMENT_EXPIRED'], undefined]]);
  });
});
