import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeEvent } from '#shared/entities/place-event.ts';
import { eventTypes } from '#shared/platform/event-type.ts';
import { platformProfile } from '#shared/platform/profile.ts';
import { jsonObject } from '#test/shared/json-writing.ts';

const usual = platformProfile.parse({});
const id = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const modifiedOn = '2026-11-21T08:00:00.123456789Z';

const place = (eventType: string, body: unknown, profile = usual) => placeEvent(eventType, body, profile);
const orders = (body: unknown) => place('TRADITIONAL_ASSET_ORDER_NOTIFICATION', body);

const kinds = [
  { eventType: 'NATURAL_PERSON_NOTIFICATION', kind: 'natural-person', name: 'naturalPerson' },
  {
    eventType: 'IDENTIFICATION_VERIFICATION_NOTIFICATION',
    kind: 'identification-verification',
    name: 'identificationVerification',
  },
  { eventType: 'TRADITIONAL_ASSET_ORDER_NOTIFICATION', kind: 'order', name: 'order' },
  { eventType: 'TRANSFER_NOTIFICATION', kind: 'transfer', name: 'transfer' },
];

describe.each(kinds)('issue 5, placing: $eventType by the usual names', ({ eventType, kind, name }) => {
  const expected = { kind, id, news: { status: 'PENDING', modifiedOn } };

  it.each([
    ['<resource>Id and status', { [`${name}Id`]: id, status: 'PENDING', modifiedOn }],
    ['id and status', { id, status: 'PENDING', modifiedOn }],
    ['<resource>Id and <resource>Status', { [`${name}Id`]: id, [`${name}Status`]: 'PENDING', modifiedOn }],
    ['in a wrapper', { [name]: { [`${name}Id`]: id, [`${name}Status`]: 'PENDING', modifiedOn } }],
    ['in a wrapper, by the short names', { [name]: { id, status: 'PENDING', modifiedOn } }],
    ['in a wrapper, the id outside', { [`${name}Id`]: id, [name]: { status: 'PENDING', modifiedOn } }],
    ['in a wrapper, the rest outside', { [name]: { [`${name}Id`]: id }, status: 'PENDING', modifiedOn }],
    [
      'in a wrapper, in an envelope that has an id, a status and a time of its own',
      {
        id: 'envelope',
        status: 'DELIVERED',
        modifiedOn: '2026-11-22T00:00:00Z',
        [name]: { [`${name}Id`]: id, status: 'PENDING', modifiedOn },
      },
    ],
    [
      'beside the id before those in a wrapper that has none',
      {
        [`${name}Id`]: id,
        status: 'PENDING',
        modifiedOn,
        [name]: { status: 'OTHER', modifiedOn: '2026-11-22T00:00:00Z' },
      },
    ],
    ['<resource>Id before id', { id: 'another', [`${name}Id`]: id, status: 'PENDING', modifiedOn }],
    ['with null before', { [`${name}Id`]: null, id, [`${name}Status`]: null, status: 'PENDING', modifiedOn }],
    ['with a wrapper that is none', { [name]: 'text', id, status: 'PENDING', modifiedOn }],
    ['with a wrapper that is a list', { [name]: [{ id: 'another' }], id, status: 'PENDING', modifiedOn }],
  ])('%s', (_, body) => {
    expect(place(eventType, body)).toEqual(expected);
  });
});

describe('section 2.5: a verification has an id of its own, and is not the person that it names', () => {
  it('whose id is not taken for its own', () => {
    const body = { naturalPersonId: id, status: 'PENDING' };
    expect(place('IDENTIFICATION_VERIFICATION_NOTIFICATION', body)).toEqual({ quarantineReason: 'NO_ENTITY_ID' });
  });
});

describe('facts, webhook deliveries: any of the usual fields can be missing', () => {
  it('news may have no status, no time, or neither', () => {
    expect(orders({ orderId: id, modifiedOn })).toEqual({ kind: 'order', id, news: { modifiedOn } });
    expect(orders({ orderId: id, status: 'FILLED' })).toEqual({ kind: 'order', id, news: { status: 'FILLED' } });
    expect(orders({ orderId: id })).toEqual({ kind: 'order', id, news: {} });
  });

  it('null and an empty status are as good as missing', () => {
    expect(orders({ orderId: id, status: null, modifiedOn: null })).toEqual({ kind: 'order', id, news: {} });
    expect(orders({ orderId: id, status: '' })).toEqual({ kind: 'order', id, news: {} });
  });

  it.each(['', 'yesterday', '2026-11-21', 1_795_248_000, { seconds: 1 }, '2026-11-21T08:00:00.1234567890Z'])(
    'a time that cannot be read, such as %j, makes the news untimed',
    (time) => {
      expect(orders({ orderId: id, status: 'FILLED', modifiedOn: time })).toEqual({
        kind: 'order',
        id,
        news: { status: 'FILLED' },
      });
    },
  );

  it('what is no object has no id', () => {
    for (const body of [null, undefined, 5, 'text', [{ orderId: id }]])
      expect(orders(body)).toEqual({ quarantineReason: 'NO_ENTITY_ID' });
  });
});

describe('issue 5, placing: what cannot be placed is quarantined with a reason', () => {
  it.each([
    ['no id', { status: 'FILLED' }],
    ['null for an id', { orderId: null }],
    ['the id of another resource', { transferId: id }],
    ['an id that every object has', Object.create({ orderId: id })],
  ])('NO_ENTITY_ID: %s', (_, body) => {
    expect(orders(body)).toEqual({ quarantineReason: 'NO_ENTITY_ID' });
  });

  it.each([
    '',
    ' ',
    'a b',
    'a/b',
    'a#b',
    'a\n',
    'ä',
    'erika@example.com',
    '-a',
    'a'.repeat(129),
    1.5,
    -1,
    2 ** 53,
    true,
    {},
    [],
    [id],
  ])('UNUSABLE_ENTITY_ID: %j', (bad) => {
    expect(orders({ orderId: bad, id })).toEqual({ quarantineReason: 'UNUSABLE_ENTITY_ID' });
  });

  it.each([
    5,
    true,
    {},
    [],
    'in progress',
    'PENDING ',
    ' PENDING',
    'Ä',
    '*',
    '__proto__',
    'A'.repeat(65),
    'Erika Mustermann',
  ])('UNUSABLE_STATUS: %j', (bad) => {
    expect(orders({ orderId: id, status: bad, modifiedOn })).toEqual({ quarantineReason: 'UNUSABLE_STATUS' });
  });
});

describe('failure modes: numbers beyond 2^53 change silently', () => {
  it('an id that is one is refused, since it may be that of another entity', () => {
    expect(orders(JSON.parse('{"orderId":9007199254740993}'))).toEqual({ quarantineReason: 'UNUSABLE_ENTITY_ID' });
  });

  it.each([
    ['0', '0'],
    ['42', '42'],
    ['9007199254740991', '9007199254740991'],
  ])('an id that JSON keeps is taken as text: %s', (number, text) => {
    expect(orders(JSON.parse(`{"orderId":${number}}`))).toEqual({ kind: 'order', id: text, news: {} });
  });

  it('an id of digits is kept as it is, however long', () => {
    expect(orders({ orderId: '9007199254740993000' })).toMatchObject({ id: '9007199254740993000' });
  });
});

describe('promise 8: news have ids, statuses, times and words of the platform, and no personal data', () => {
  it('of a failure its type, not its description', () => {
    const validationError = { errorType: 'DUPLICATE', description: 'Erika Mustermann exists' };
    const body = { naturalPersonId: id, notificationType: 'VALIDATION_ERROR', validationError, firstName: 'Erika' };
    expect(place('NATURAL_PERSON_NOTIFICATION', body)).toEqual({
      kind: 'natural-person',
      id,
      news: { notificationType: 'VALIDATION_ERROR', errorType: 'DUPLICATE', hasValidationError: true },
    });
  });

  it.each([
    ['a name', 'Erika Mustermann'],
    ['an object', { word: 'Erika' }],
    ['null', null],
    ['a number', 5],
  ])('words that are none are left out: %s', (_, bad) => {
    const body = { orderId: id, status: 'INVALID', notificationType: bad, validationError: { errorType: bad } };
    expect(orders(body)).toEqual({ kind: 'order', id, news: { status: 'INVALID', hasValidationError: true } });
  });

  it.each(['Erika Mustermann', null, 5, ['DUPLICATE']])('an error that is none is left out: %j', (validationError) => {
    const news = validationError === null ? {} : { hasValidationError: true };
    expect(orders({ orderId: id, validationError })).toEqual({ kind: 'order', id, news });
  });

  it('whatever the payload', () => {
    const fields = new Set(['status', 'modifiedOn', 'notificationType', 'errorType', 'hasValidationError']);
    fc.assert(
      fc.property(fc.constantFrom(...eventTypes), jsonObject, fc.boolean(), (eventType, json, withId) => {
        const placed = place(eventType, withId ? { ...json, id } : json);
        if (placed === 'no entity' || 'quarantineReason' in placed) return;
        expect(Object.keys(placed.news).filter((field) => !fields.has(field))).toEqual([]);
        expect(placed.id).toMatch(/^[\w.~:-]{1,128}$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('issue 5, placing: the other event types are stored and published', () => {
  const others = eventTypes.filter((eventType) => !kinds.some((kind) => kind.eventType === eventType));

  it.each([...others, 'A_NEW_NOTIFICATION', 'constructor', '__proto__'])('%s', (eventType) => {
    expect(place(eventType, { orderId: id, id, status: 'FILLED' })).toBe('no entity');
  });
});

describe('design, what the specification does not say: an environment says where it is otherwise', () => {
  it('another event type of a kind, by the usual names', () => {
    const profile = platformProfile.parse({ places: { DIGITAL_ASSET_ORDER_NOTIFICATION: { kind: 'order' } } });
    expect(place('DIGITAL_ASSET_ORDER_NOTIFICATION', { orderId: id, status: 'FILLED' }, profile)).toEqual({
      kind: 'order',
      id,
      news: { status: 'FILLED' },
    });
    expect(place('TRANSFER_NOTIFICATION', { id }, profile)).toMatchObject({ kind: 'transfer' });
  });

  it('other names', () => {
    const TRANSFER_NOTIFICATION = {
      kind: 'transfer',
      wrappers: ['data'],
      id: ['paymentId'],
      status: ['state'],
      modifiedOn: ['changedAt'],
    };
    const profile = platformProfile.parse({ places: { TRANSFER_NOTIFICATION } });
    const body = { data: { paymentId: id, state: 'PROCESSED', changedAt: modifiedOn }, transferId: 'another' };
    expect(place('TRANSFER_NOTIFICATION', body, profile)).toEqual({
      kind: 'transfer',
      id,
      news: { status: 'PROCESSED', modifiedOn },
    });
  });

  it('that a type speaks of no entity', () => {
    const profile = platformProfile.parse({ places: { TRANSFER_NOTIFICATION: { kind: 'stored and published' } } });
    expect(place('TRANSFER_NOTIFICATION', { transferId: id }, profile)).toBe('no entity');
  });
});
