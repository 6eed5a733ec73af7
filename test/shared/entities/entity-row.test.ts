import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  type EntityKey,
  readEvent,
  readState,
  type TimelineEntry,
  writeEvent,
  writeState,
  writeTombstone,
} from '#shared/entities/entity-row.ts';
import { emptyEntityState, mergeEntityStates } from '#shared/entities/merge/entity-state.ts';
import { evaluate, viewOf } from '#shared/entities/merge/entity-view.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import { learn, receivedReportOf } from './merge/histories.ts';

const id = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const order = { kind: 'order', id } as const;

/** What is stored of an entity after these statuses, each with a time of nine digits and all that an event may say. */
function rowAfter(kind: EntityKind, statuses: readonly string[]) {
  const lines = statuses.map((status, index) => ({ status, at: `2026-11-21T08:0${index}:17.${384_591_024 + index}Z` }));
  const latest: readonly TimelineEntry[] = lines.map((line, index) => {
    const received = receivedReportOf({ ...line, received: index * 61 + 0.173 });
    const before = index === 0 ? undefined : learn(kind, lines.slice(0, index));
    const judgement = evaluate(entityRules[kind], received, before, learn(kind, lines.slice(0, index + 1)), index + 1);
    const eventId = createHash('sha256').update(String(index)).digest('hex');
    return { eventId, receivedOn: received.receivedOn, ...received.report, notificationType: 'UPDATED', ...judgement };
  });
  return { version: statuses.length, known: learn(kind, lines), latest };
}

function write(key: EntityKey, row: Parameters<typeof writeState>[1]) {
  return writeState(key, row, viewOf(entityRules[key.kind], row.known));
}

/** As DynamoDB counts it: the names of the attributes and their values, in UTF-8. Numbers take a little more. */
function sizeOf(item: Readonly<Record<string, AttributeValue>>): number {
  const sizes = Object.entries(item).map(([name, { S = '', N = '', B }]) => {
    return Buffer.byteLength(name + S + N) + (B?.byteLength ?? 0) + 2;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe('a status whose word is a name that every object has', () => {
  const words = ['constructor', 'toString'];

  it.each(words)('is kept, merged and shown like any other word: %s', (status) => {
    const rules = entityRules.order;
    const known = learn('order', [{ status: 'RECEIVED' }, { status, received: 1 }, { status, at: 3, received: 2 }]);
    const row = { version: 1, known, latest: [] };
    const read = readState(write(order, row));
    expect(read).toEqual(row);
    if (!('known' in read)) throw new Error('The row holds no state.');
    expect(mergeEntityStates(rules, read.known, known)).toEqual(known);
    expect(viewOf(rules, read.known)).toMatchObject({ status, anomalies: [] });
    const final = mergeEntityStates(rules, read.known, learn('order', [{ status: 'SETTLED' }]));
    expect(viewOf(rules, final)).toMatchObject({ status: 'SETTLED', transactionStatus: 'COMPLETED' });
  });

  it.each(words)('is read from a row of an earlier release: %s', (status) => {
    const time = '2026-11-21T08:00:00Z';
    const earlier = { seen: { '*': [time] }, timed: { status, modifiedOn: time }, untimed: status };
    const item = {
      ...write(order, { version: 1, known: emptyEntityState, latest: [] }),
      known: { S: JSON.stringify(earlier) },
    };
    expect(readState(item)).toMatchObject({ known: { seen: { [status]: [time] } } });
  });
});

describe('the size of an item of the entities table', () => {
  it.each([
    ['order', ['RECEIVED', 'PENDING', 'FILLED', 'SETTLED']],
    ['order', ['RECEIVED', 'PENDING', 'FILLED', 'CORRECTED', 'CANCELED']],
    ['transfer', ['RECEIVED', 'PENDING', 'PROCESSED']],
    ['natural-person', ['RECEIVED', 'CREATED', 'PENDING', 'ACTIVE']],
    ['identification-verification', ['RECEIVED', 'PENDING', 'APPROVED']],
  ] as const)('costs one write unit for a usual %s with %j', (kind, statuses) => {
    const item = write({ kind, id }, rowAfter(kind, statuses));
    expect(sizeOf(item)).toBeLessThanOrEqual(1_024);
  });

  it('costs at most two write units for the longest life of an entity', () => {
    const statuses = Array.from({ length: 8 }, (_, index) => (index % 2 ? 'ACTIVE' : 'SUSPENDED'));
    expect(sizeOf(write({ kind: 'natural-person', id }, rowAfter('natural-person', statuses)))).toBeLessThanOrEqual(
      2_048,
    );
  });
});

describe('a row of the entities table', () => {
  const row = rowAfter('order', ['PENDING', 'FILLED']);

  it('gives the state of an entity as it was written', () => {
    expect(readState(write(order, row))).toEqual(row);
    expect(readState(write(order, { version: 1, known: emptyEntityState, latest: [] }))).toEqual({
      version: 1,
      known: emptyEntityState,
      latest: [],
    });
  });

  it('gives the tombstone of an erased entity as it was written', () => {
    const erased = { version: 3, erasedOn: '2026-11-21T12:00:00.000Z' };
    expect(readState(writeTombstone(order, erased))).toEqual(erased);
  });

  it('gives an event of the timeline as it was written', () => {
    for (const entry of row.latest) expect(readEvent(writeEvent(order, entry))).toEqual(entry);
  });

  it('gives an effect that only a later release knows', () => {
    const [entry] = row.latest;
    const later = { ...entry, effect: 'A_LATER_WORD', somethingNew: 1 };
    const item = {
      ...writeEvent(order, { eventId: 'e', receivedOn: '2026-11-21T12:00:00Z', effect: 'applied' }),
      entry: { S: JSON.stringify(later) },
    };
    expect(readEvent(item)).toMatchObject({ effect: 'A_LATER_WORD', eventId: entry?.eventId });
  });
});

describe('a row of the entities table that another program wrote', () => {
  const secret = 'Erika Mustermann';
  const state = write(order, rowAfter('order', ['PENDING', 'FILLED']));

  function refusal(read: () => unknown): unknown {
    try {
      return read();
    } catch (error) {
      return error;
    }
  }

  it.each([
    ['version', {}],
    ['known', {}],
    ['latest', {}],
    ['version', { version: { S: secret } }],
    ['version', { version: { N: secret } }],
    ['known', { known: { S: secret } }],
    ['known', { known: { S: JSON.stringify({ seen: { FILLED: [secret] } }) } }],
    [
      'known.timed.modifiedOn',
      { known: { S: JSON.stringify({ timed: { status: secret, modifiedOn: secret }, seen: {} }) } },
    ],
    ['latest', { latest: { B: Buffer.from(secret) } }],
    ['latest', { latest: { B: deflateRawSync(secret) } }],
    ['latest', { latest: { B: deflateRawSync(Buffer.alloc(17 * 1024 * 1024)) } }],
    ['latest.0.eventId', { latest: { B: deflateRawSync(JSON.stringify([{ effect: secret }])) } }],
    ['erasedOn', { erasedOn: { S: secret } }],
  ] as const)('is refused by the name of the field %s of the state, without its value: %#', (field, attributes) => {
    const without = Object.fromEntries(Object.entries(state).filter(([name]) => name !== field));
    const error = refusal(() => readState({ ...without, ...attributes }));
    expect(error).toMatchObject({ code: 'EntityRowError' });
    expect(String(error)).toContain(field);
    expect(inspect(error)).not.toContain(secret);
  });

  it.each([
    ['entry', {}],
    ['entry', { entry: { S: secret } }],
    ['entry.receivedOn', { entry: { S: JSON.stringify({ eventId: 'e', effect: 'applied', receivedOn: secret }) } }],
  ])('is refused by the name of the field %s of an event, without its value: %#', (field, item) => {
    const error = refusal(() => readEvent(item));
    expect(error).toMatchObject({ code: 'EntityRowError' });
    expect(String(error)).toContain(field);
    expect(inspect(error)).not.toContain(secret);
  });
});
