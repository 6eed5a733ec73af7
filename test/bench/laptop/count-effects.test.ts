import { describe, expect, it } from 'vitest';
import type { PublishedChange } from '#sandbox/scenario/common/published-changes.ts';
import { countEffects, type EffectsProps } from './count-effects.ts';

const audit = { tallies: [], lost: 0, doubled: 0, changed: 0, refused: 0 };
const stored = { id: 'one', version: 1, status: 'PENDING' };
const change: PublishedChange = {
  kind: 'order',
  id: 'one',
  sequence: 1,
  status: 'PENDING',
  anomalies: [],
  remedies: [],
  eventId: 'a'.repeat(64),
};
const flawless: EffectsProps = { orders: ['one'], audit, stored: [stored], changes: [change], deadLetters: 0 };

describe('the effects of the webhooks of the laptop', () => {
  it.each<[string, Partial<EffectsProps>, object]>([
    ['one for each order', {}, { lost: 0, duplicated: 0, copies: 0 }],
    ['a copy of a change', { changes: [change, change] }, { lost: 0, duplicated: 0, copies: 1 }],
    ['a further change', { changes: [change, { ...change, sequence: 2 }] }, { duplicated: 1 }],
    ['an order without a change', { changes: [] }, { lost: 1, duplicated: 0 }],
    ['an order without an entity', { stored: [] }, { lost: 1, duplicated: 0 }],
    ['an entity that was written twice', { stored: [{ ...stored, version: 2 }] }, { lost: 0, duplicated: 1 }],
    ['an entity with another status', { stored: [{ ...stored, status: 'FILLED' }] }, { duplicated: 1 }],
    ['a webhook that is not answered', { audit: { ...audit, refused: 1 } }, { lost: 1 }],
    ['a webhook that is not stored', { audit: { ...audit, lost: 1 } }, { lost: 1 }],
    ['an event that is stored twice', { audit: { ...audit, doubled: 1 } }, { duplicated: 1 }],
    ['a stored body that was never sent', { audit: { ...audit, changed: 1 } }, { duplicated: 1 }],
    ['a dead letter', { deadLetters: 1 }, { lost: 1 }],
  ])('count %s', (_, props, expected) => {
    expect(countEffects({ ...flawless, ...props })).toMatchObject(expected);
  });
});
