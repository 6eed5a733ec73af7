import { expect, it } from 'vitest';
import { isOfBoard, isOfList } from '#console/data/matching-lines.ts';

const none = { eventType: '', quarantineReason: '', receivedFrom: '', receivedTo: '' };
const webhook = {
  source: 'webhook',
  type: 'TRANSFER_NOTIFICATION',
  status: undefined,
  time: '2026-01-02T03:00:00Z',
} as const;

it.each([
  ['without a filter', webhook, none, true],
  ['of the type', webhook, { ...none, eventType: 'TRANSFER_NOTIFICATION' }, true],
  ['of another type', webhook, { ...none, eventType: 'USER_NOTIFICATION' }, false],
  ['in quarantine, for any reason', { ...webhook, status: 'NOT_JSON' }, { ...none, quarantineReason: 'ANY' }, true],
  ['in quarantine, for another reason', { ...webhook, status: 'NOT_JSON' }, { ...none, quarantineReason: 'X' }, false],
  ['with an effect, in a list of the quarantine', webhook, { ...none, quarantineReason: 'ANY' }, false],
  ['before the time', webhook, { ...none, receivedFrom: '2026-01-02T04:00:00Z' }, false],
  ['after the time', webhook, { ...none, receivedTo: '2026-01-02T02:00:00Z' }, false],
  ['of the bus', { ...webhook, source: 'bus' as const }, none, false],
])('counts as new only what a list of events shows: a line %s', (_name, line, filter, expected) => {
  expect(isOfList(line, filter)).toBe(expected);
});

it.each([
  ['comes to the step', { about: 'b', status: 'STOPPED' }, { step: 'STOPPED', isStalled: false }, true],
  ['comes to another step', { about: 'b', status: 'ACCEPTED' }, { step: 'STOPPED', isStalled: false }, false],
  ['is shown, and leaves', { about: 'a', status: 'ACCEPTED' }, { step: 'STOPPED', isStalled: false }, true],
  ['is not stalled', { about: 'b', status: 'STOPPED' }, { step: '', isStalled: true }, false],
])('counts as a change of a board only an onboarding that %s', (_name, line, filter, expected) => {
  expect(isOfBoard({ type: 'OnboardingStepChanged', ...line }, filter, new Set(['a']))).toBe(expected);
});
