import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeEvent } from '#shared/entities/place-event.ts';
import { eventTypes } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { size } from '#test/full-size.ts';
import { jsonObject } from '#test/shared/events/json-writing.ts';

const usual = platformProfile.parse({});
const id = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const modifiedOn = '2026-11-21T08:00:00.123456789Z';

const place = (eventType: string, body: unknown, profile = usual) => placeEvent(eventType, body, profile);
const reasonCodesOf = (placed: ReturnType<typeof place>) =>
  typeof placed === 'object' && 'report' in placed ? placed.report.reasonCodes : undefined;
const vienna = { zone: 'Europe/Vienna' };
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

describe.each(kinds)('placing a $eventType by the usual names', ({ eventType, kind, name }) => {
  const expected = { kind, id, report: { status: 'PENDING', modifiedOn } };

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
  ])('finds the entity in %s', (_, body) => {
    expect(place(eventType, body)).toEqual(expected);
  });
});

describe('section 2.5: a verification and the person that it names', () => {
  it('takes no id of the person for the id of the verification', () => {
    const body = { naturalPersonId: id, status: 'PENDING' };
    expect(place('IDENTIFICATION_VERIFICATION_NOTIFICATION', body)).toEqual({ quarantineReason: 'NO_ENTITY_ID' });
  });
});

describe('placing an event with missing fields', () => {
  it('accepts a report without a status, without a time, or without both', () => {
    expect(orders({ orderId: id, modifiedOn })).toEqual({ kind: 'order', id, report: { modifiedOn } });
    expect(orders({ orderId: id, status: 'FILLED' })).toEqual({ kind: 'order', id, report: { status: 'FILLED' } });
    expect(orders({ orderId: id })).toEqual({ kind: 'order', id, report: {} });
  });

  it('treats null and an empty status as missing', () => {
    expect(orders({ orderId: id, status: null, modifiedOn: null })).toEqual({ kind: 'order', id, report: {} });
    expect(orders({ orderId: id, status: '' })).toEqual({ kind: 'order', id, report: {} });
  });

  it.each(['', 'yesterday', '2026-11-21', 1_795_248_000, { seconds: 1 }, '2026-11-21T08:00:00.1234567890Z'])(
    'makes the report untimed when its time cannot be read, such as %j',
    (time) => {
      expect(orders({ orderId: id, status: 'FILLED', modifiedOn: time })).toEqual({
        kind: 'order',
        id,
        report: { status: 'FILLED' },
      });
    },
  );

  it.each([
    ['without a zone, in UTC', '2026-11-21T08:00:00.5', {}, '2026-11-21T08:00:00.5Z'],
    ['without a zone, in the zone of the profile', '2026-07-21T08:00', vienna, '2026-07-21T08:00:00+02:00'],
    ['in seconds, where the profile says so', 1_795_248_000, { unit: 'seconds' }, '2026-11-21T08:00:00Z'],
  ] as const)('reads a time %s', (_, time, times, expected) => {
    const body = { naturalPersonId: id, status: 'ACTIVE', modifiedOn: time };
    expect(place('NATURAL_PERSON_NOTIFICATION', body, platformProfile.parse({ times }))).toMatchObject({
      report: { status: 'ACTIVE', modifiedOn: expected },
    });
  });

  it('makes the report untimed when its local time is from before the zone had standard time', () => {
    const body = { naturalPersonId: id, status: 'ACTIVE', modifiedOn: '0001-01-01T00:00:00' };
    const placed = place('NATURAL_PERSON_NOTIFICATION', body, platformProfile.parse({ times: vienna }));
    expect(placed).toEqual({ kind: 'natural-person', id, report: { status: 'ACTIVE' } });
  });

  it('finds no id in a body that is no object', () => {
    for (const body of [null, undefined, 5, 'text', [{ orderId: id }]])
      expect(orders(body)).toEqual({ quarantineReason: 'NO_ENTITY_ID' });
  });
});

describe('an event that cannot be placed is quarantined with a reason', () => {
  it.each([
    ['no id', { status: 'FILLED' }],
    ['null for an id', { orderId: null }],
    ['the id of another resource', { transferId: id }],
    ['an id that every object has', Object.create({ orderId: id })],
  ])('is quarantined as NO_ENTITY_ID for %s', (_, body) => {
    expect(orders(body)).toEqual({ quarantineReason: 'NO_ENTITY_ID' });
  });

  it.each(['', ' ', 'a/b', 'a#b', 'a\n', 'ä', 'erika@example.com', '-a', 'a'.repeat(129), 1.5, -1, 2 ** 53, [], [id]])(
    'is quarantined as UNUSABLE_ENTITY_ID for %j',
    (bad) => {
      expect(orders({ orderId: bad, id })).toEqual({ quarantineReason: 'UNUSABLE_ENTITY_ID' });
    },
  );

  it.each([5, true, {}, [], 'in progress', 'Ä', '*', '__proto__', 'A'.repeat(65), 'Erika Mustermann'])(
    'is quarantined as UNUSABLE_STATUS for %j',
    (bad) => {
      expect(orders({ orderId: id, status: bad, modifiedOn })).toEqual({ quarantineReason: 'UNUSABLE_STATUS' });
    },
  );
});

describe('a status with spaces between capitals', () => {
  const reviewed = { status: 'IN_REVIEW', after: '(none)', final: false, from: ['(none)'], to: ['ACTIVE'] };
  const declared = platformProfile.parse({
    statuses: { 'natural-person': [reviewed] },
    verificationWords: { waiting: ['ON_HOLD'] },
  });
  const [people, calls] = ['NATURAL_PERSON_NOTIFICATION', 'IDENTIFICATION_VERIFICATION_NOTIFICATION'];

  it.each([
    ['a status that the profile declares', people, 'IN REVIEW', declared, 'IN_REVIEW'],
    ['the same in an object', people, { name: 'IN  REVIEW' }, declared, 'IN_REVIEW'],
    ['a word of verificationWords', calls, 'ON HOLD', declared, 'ON_HOLD'],
    ['a status that nothing declares', people, 'IN REVIEW', usual, undefined],
    ['a status of another kind', calls, 'IN REVIEW', declared, undefined],
    ['a name', people, 'MARIA HUBER', usual, undefined],
    ['a name in an object', people, { name: 'MARIA HUBER' }, declared, undefined],
  ])('is read where it is known: %s', (_, eventType, status, profile, word) => {
    const placed = place(eventType, { id, status }, profile);
    expect(placed).toMatchObject(
      word === undefined ? { quarantineReason: 'UNUSABLE_STATUS' } : { report: { status: word } },
    );
  });

  it('is no notificationType where it could be a name', () => {
    const report = (notificationType: string) => place(people, { id, notificationType });
    expect(report('VALIDATION ERROR')).toMatchObject({ report: { notificationType: 'VALIDATION_ERROR' } });
    expect(report('MARIA HUBER')).toEqual({ kind: 'natural-person', id, report: {} });
  });
});

describe('ids that are numbers', () => {
  it('refuses an id beyond 2^53, which JSON may have changed', () => {
    expect(orders(JSON.parse('{"orderId":9007199254740993}'))).toEqual({ quarantineReason: 'UNUSABLE_ENTITY_ID' });
  });

  it.each([
    ['0', '0'],
    ['42', '42'],
    ['9007199254740991', '9007199254740991'],
  ])('takes an id that JSON keeps as text: %s', (number, text) => {
    expect(orders(JSON.parse(`{"orderId":${number}}`))).toEqual({ kind: 'order', id: text, report: {} });
  });

  it('keeps an id of digits as it is, at any length', () => {
    expect(orders({ orderId: '9007199254740993000' })).toMatchObject({ id: '9007199254740993000' });
  });
});

describe('promise 8: a report holds ids, statuses, times and words of the platform, and no personal data', () => {
  it('holds the type of a failure and not its description', () => {
    const validationError = { errorType: 'DUPLICATE', description: 'Erika Mustermann exists' };
    const body = { naturalPersonId: id, notificationType: 'VALIDATION_ERROR', validationError, firstName: 'Erika' };
    expect(place('NATURAL_PERSON_NOTIFICATION', body)).toEqual({
      kind: 'natural-person',
      id,
      report: {
        notificationType: 'VALIDATION_ERROR',
        errorType: 'DUPLICATE',
        reasonCodes: ['DUPLICATE'],
        hasValidationError: true,
      },
    });
  });

  it.each([
    ['a name', 'Erika Mustermann'],
    ['an object', { word: 'Erika' }],
    ['null', null],
    ['a number', 5],
  ])('leaves out words that are no words: %s', (_, bad) => {
    const body = { orderId: id, status: 'INVALID', notificationType: bad, validationError: { errorType: bad } };
    expect(orders(body)).toEqual({ kind: 'order', id, report: { status: 'INVALID', hasValidationError: true } });
  });

  it.each([
    ['no error', { validationError: null }, {}],
    ['an empty text', { validationError: '' }, {}],
    ['an empty object', { validationError: {} }, {}],
    ['an empty list', { validationError: [] }, {}],
    ['false', { validationError: false }, {}],
    ['a count of 0', { validationError: 0 }, {}],
    ['true', { validationError: true }, { hasValidationError: true }],
    ['an error that is a text', { validationError: 'Erika Mustermann' }, { hasValidationError: true }],
    ['an error that is a list', { validationError: [{}] }, { hasValidationError: true }],
    [
      'an error around a wrapper with an empty one',
      { order: { validationError: {} }, validationError: { errorType: 'X' } },
      { errorType: 'X', reasonCodes: ['X'], hasValidationError: true },
    ],
    [
      'an empty error with the notification type of one',
      { notificationType: 'VALIDATION_ERROR', validationError: '' },
      { notificationType: 'VALIDATION_ERROR', hasValidationError: true },
    ],
    [
      'only a notification type',
      { notificationType: 'VALIDATION_ERROR' },
      { notificationType: 'VALIDATION_ERROR', hasValidationError: true },
    ],
  ])('says whether there is a validation error for %s', (_, body, report) => {
    expect(orders({ orderId: id, ...body })).toEqual({ kind: 'order', id, report });
  });

  const described = (errorType: string) => ({ errorType, description: 'Erika Mustermann is unknown' });

  it.each<[string, object, readonly string[] | undefined]>([
    ['order', { message: 'NO_FUNDS', code: 'ORD_17' }, ['NO_FUNDS', 'ORD_17']],
    ['order', { message: 'Erika Mustermann has too little', code: 'ORD_17' }, ['ORD_17']],
    ['order', { message: { code: 'ORD_17', message: 'ERIKA' } }, ['ORD_17']],
    ['order', { order: { message: 'CLOSED' } }, ['CLOSED']],
    ['order', { code: 'ORD_17', validationError: { errorType: 'X', details: ['ERIKA', ['ERIKA']] } }, ['ORD_17', 'X']],
    ['transfer', { transfer: { rejectReason: 'LIMIT' } }, ['LIMIT']],
    ['transfer', { rejectReason: 'Too little money' }, undefined],
    ['transfer', { rejectReason: { code: 'LIMIT', details: ['ERIKA'] }, errors: ['ERIKA'] }, ['LIMIT']],
    ['natural-person', { validationError: [described('NAME'), { errors: [described('AGE')] }] }, ['AGE', 'NAME']],
    ['natural-person', { validationError: described('Erika') }, undefined],
    ['natural-person', { message: 'ERIKA', validationError: 'ERIKA', description: 'ERIKA' }, undefined],
    ['natural-person', { validationError: { errorType: 'X', errorCode: 'Y', reason: 'ERIKA' } }, ['X', 'Y']],
    ['natural-person', { validationError: { message: 'ERIKA', rejectReason: 'ERIKA', errors: 'ERIKA' } }, undefined],
    ['natural-person', { code: ['ERIKA'] }, undefined],
    ['natural-person', { validationError: { details: ['ERIKA', { code: 'AGE', reason: 'ERIKA' }] } }, ['AGE']],
    ['identification-verification', { code: 'EXPIRED', reason: 'ERIKA' }, ['EXPIRED']],
  ])('holds the codes of a failure and no other text: %s %j', (kind, body, reasonCodes) => {
    const eventType = kinds.find((one) => one.kind === kind)?.eventType ?? '';
    expect(reasonCodesOf(place(eventType, { id, ...body }))).toEqual(reasonCodes);
  });

  it.each([
    ['with errors of their own', ['fault'], { code: 'OTHER', fault: { faults: [], code: 'F_1' } }, ['F_1']],
    [
      'as a text or a list',
      ['message', 'causes'],
      { message: 'B', causes: ['C', 'A'], reason: 'ERIKA' },
      ['A', 'B', 'C'],
    ],
  ])('holds the codes of the fields that the profile names, %s', (_, reason, body, reasonCodes) => {
    const places = { NATURAL_PERSON_NOTIFICATION: { kind: 'natural-person', reason } };
    const placed = place('NATURAL_PERSON_NOTIFICATION', { id, ...body }, platformProfile.parse({ places }));
    expect(reasonCodesOf(placed)).toEqual(reasonCodes);
  });

  it('holds 8 codes at most, from a bounded part of the payload', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ code: `E_${1_000 + index}` }));
    const reasonsOf = (message: unknown) => reasonCodesOf(orders({ orderId: id, message }));
    expect(reasonsOf(many)).toEqual(many.slice(0, 8).map(({ code }) => code));
    expect(reasonsOf([[[[['E_1']]]]])).toEqual(['E_1']);
    expect(reasonsOf([[[[[['E_1']]]]]])).toBeUndefined();
    expect(reasonsOf(['X'.repeat(65), 'e_1', 'E 1', '_E', '1E', 'É'])).toBeUndefined();
  });

  it('holds no personal data for any payload', () => {
    const fields = new Set([
      'status',
      'modifiedOn',
      'notificationType',
      'errorType',
      'reasonCodes',
      'hasValidationError',
    ]);
    fc.assert(
      fc.property(fc.constantFrom(...eventTypes), jsonObject, fc.boolean(), (eventType, json, withId) => {
        const placed = place(eventType, withId ? { ...json, id } : json);
        if (placed === 'no entity' || 'quarantineReason' in placed) return;
        expect(Object.keys(placed.report).filter((field) => !fields.has(field))).toEqual([]);
        expect(placed.id).toMatch(/^[\w.~:-]{1,128}$/);
        for (const reason of placed.report.reasonCodes ?? []) expect(reason).toMatch(/^[A-Z][A-Z0-9_]{0,63}$/);
      }),
      { numRuns: size(100, 500) },
    );
  });
});

describe('placing the other event types', () => {
  const others = eventTypes.filter((eventType) => !kinds.some((kind) => kind.eventType === eventType));

  it.each([...others, 'A_NEW_NOTIFICATION', 'constructor', '__proto__'])(
    'stores and publishes %s without an entity',
    (eventType) => {
      expect(place(eventType, { orderId: id, id, status: 'FILLED' })).toBe('no entity');
    },
  );
});

describe('places that an environment declares', () => {
  it('places another event type of a kind by the usual names', () => {
    const profile = platformProfile.parse({ places: { DIGITAL_ASSET_ORDER_NOTIFICATION: { kind: 'order' } } });
    expect(place('DIGITAL_ASSET_ORDER_NOTIFICATION', { orderId: id, status: 'FILLED' }, profile)).toEqual({
      kind: 'order',
      id,
      report: { status: 'FILLED' },
    });
    expect(place('TRANSFER_NOTIFICATION', { id }, profile)).toMatchObject({ kind: 'transfer' });
  });

  it('places an event by other names of its fields', () => {
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
      report: { status: 'PROCESSED', modifiedOn },
    });
  });

  it('places no entity for a type that is declared without one', () => {
    const profile = platformProfile.parse({ places: { TRANSFER_NOTIFICATION: { kind: 'stored and published' } } });
    expect(place('TRANSFER_NOTIFICATION', { transferId: id }, profile)).toBe('no entity');
  });
});
