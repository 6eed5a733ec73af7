import { expect, it } from 'vitest';
import { upToNow } from '#cli/console/reads/onboarding-reads.ts';
import type { HistoryEntry } from '#cli/onboardings/read-history.ts';

const entry = (at: string, what: HistoryEntry['what'], step?: string): HistoryEntry => ({
  at,
  what,
  step,
  text: '',
  eventId: undefined,
});
const logged = [
  entry('2026-01-02T12:00:00.000Z', 'step', 'REQUESTED'),
  entry('2026-01-02T12:05:00.000Z', 'step', 'AWAITING_VIDEO_CALL'),
  entry('2026-01-02T12:20:00.000Z', 'report'),
];

it('ends with the present step, of which the log can have no line yet', () => {
  const history = upToNow(logged, { step: 'CANCELED', since: '2026-01-02T12:10:00.000Z' });
  expect(history.map(({ step }) => step)).toEqual(['REQUESTED', 'AWAITING_VIDEO_CALL', 'CANCELED', undefined]);
  expect(history[2]?.text).toBe('an operator has canceled it');
});

it('does not change a history that has the present step', () => {
  expect(upToNow(logged, { step: 'AWAITING_VIDEO_CALL', since: '2026-01-02T12:05:00.000Z' })).toEqual(logged);
});
