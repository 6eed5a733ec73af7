import { expect, it } from 'vitest';
import { pathOf } from '#cli/console/diagrams/draw-states.ts';
import { explainEffect } from '#cli/console/reads/explain-effect.ts';
import type { TimelineEventAnswer } from '#shared/api/query-answers.ts';

const event = (more: Partial<TimelineEventAnswer>): TimelineEventAnswer => ({
  eventId: 'a'.repeat(64),
  receivedOn: '2026-01-02T03:04:05Z',
  status: 'FILLED',
  effect: 'applied',
  ...more,
});
const change = { sequence: 2, statusBefore: 'PENDING', status: 'FILLED', anomalies: [] };

it.each<[string, Partial<TimelineEventAnswer>]>([
  ['The status changed from PENDING to FILLED.', { change }],
  ['The status changed from unknown to FILLED.', { change: { ...change, statusBefore: undefined } }],
  ['The status stayed, and its time changed.', { change: { ...change, statusBefore: 'FILLED' } }],
  ['The report does not settle the status, so that the entity is read back from the platform.', {}],
  ['FILLED has no time, and ranks below what was known.', { effect: 'superseded' }],
  [
    'What was known is later than this report of FILLED, or ranks higher at the same time.',
    { effect: 'superseded', modifiedOn: '2026-01-02T03:04:05Z' },
  ],
  ['FILLED was shown already.', { effect: 'duplicate' }],
  [
    'FILLED contradicts a final status: REJECTED → FILLED.',
    { effect: 'anomaly', change: { ...change, anomalies: ['REJECTED → FILLED'] } },
  ],
])('explains: %s', (expected, more) => {
  expect(explainEffect(event(more))).toBe(expected);
});

it('finds the path of an entity by the sequence of its changes, not by their receipt', () => {
  const settled = { ...change, sequence: 5, statusBefore: 'FILLED', status: 'SETTLED' };
  const dated = { ...change, sequence: 3, statusBefore: 'FILLED', status: 'FILLED' };
  expect(pathOf([event({ change: settled }), event({ change: dated }), event({}), event({ change })])).toEqual([
    { from: 'PENDING', to: 'FILLED' },
    { from: 'FILLED', to: 'SETTLED' },
  ]);
});
