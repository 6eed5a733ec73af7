import { describe, expect, it } from 'vitest';
import { readReplayRequest } from '#functions/webhook-ingest/replay/replay-request.ts';

const [one, other] = ['a'.repeat(64), 'b'.repeat(64)];
const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];

describe('a request to replay events by id, type, time or reason', () => {
  it('counts the events in quarantine by default', () => {
    expect(readReplayRequest({})).toEqual({ mode: 'count', events: 'quarantined' });
  });

  it.each<readonly [string, object]>([
    ['ids', { eventIds: [one, other] }],
    ['a type', { eventType: 'TRANSFER_NOTIFICATION', expected: 0 }],
    ['a reason', { reason: 'A_WORD_OF_A_LATER_RELEASE', expected: 3 }],
    ['a time', { receivedFrom: from, expected: 3 }],
    ['all of it', { eventType: '/', reason: 'NOT_JSON', receivedFrom: from, receivedTo: to, expected: 3 }],
    ['one moment', { receivedFrom: from, receivedTo: from, expected: 3 }],
    ['all events of a type', { events: 'all', eventType: 'X', receivedTo: to, expected: 3 }],
    ['ids among all events', { events: 'all', eventIds: [one] }],
  ])('replays by %s', (_, selection) => {
    const request = { mode: 'replay', ...selection };
    expect(readReplayRequest(request)).toEqual({ events: 'quarantined', ...request });
  });

  it('takes a time in any zone and precision, and an id once', () => {
    expect(
      readReplayRequest({ receivedFrom: '2026-01-02T03:04:05+02:00', receivedTo: '2026-01-02T03:04:05.6789Z' }),
    ).toMatchObject({ receivedFrom: '2026-01-02T01:04:05.000Z', receivedTo: '2026-01-02T03:04:05.678Z' });
    expect(readReplayRequest({ eventIds: [one, other, one] })).toMatchObject({ eventIds: [one, other] });
  });
});

describe('a request with a typo', () => {
  const refused = (request: unknown, message: RegExp) => {
    expect(() => readReplayRequest(request)).toThrow(expect.objectContaining({ code: 'ReplayRequestError' }));
    expect(() => readReplayRequest(request)).toThrow(message);
  };

  it.each<readonly [string, unknown, RegExp]>([
    ['no request', undefined, /^Invoke replay with/],
    ['a text', 'replay', /^Invoke replay with/],
    ['a field that it does not know', { mode: 'replay', reasons: 'NOT_JSON' }, /^Invoke replay with/],
    ['a mode that it does not know', { mode: 'apply' }, /Check mode\.$/],
    ['no id', { eventIds: [] }, /Check eventIds\.$/],
    ['too many ids', { eventIds: Array.from({ length: 1_001 }, () => one) }, /Check eventIds\.$/],
    ['an id that is none', { eventIds: [one, 'A'.repeat(64)] }, /Check eventIds\.1\.$/],
    ['an empty type', { eventType: '' }, /Check eventType\.$/],
    ['a time that is none', { receivedFrom: 'today', receivedTo: '2026-01-02' }, /receivedFrom, receivedTo\.$/],
    ['a number that is none', { expected: 1.5 }, /Check expected\.$/],
  ])('refuses %s', (_, request, message) => refused(request, message));

  it.each<readonly [string, object, RegExp]>([
    ['ids with a type', { eventIds: [one], eventType: 'X' }, /leave "eventType"/],
    ['ids with a time', { eventIds: [one], receivedTo: to }, /leave "eventType"/],
    ['a reason of all events', { events: 'all', reason: 'NOT_JSON', receivedTo: to }, /has no "reason"/],
    ['all events without an end', { events: 'all', eventType: 'X' }, /up to when/],
    ['an end before the beginning', { receivedFrom: to, receivedTo: from }, /exchange them/],
  ])('refuses %s, in each mode', (_, request, message) => {
    for (const mode of ['count', 'replay']) refused({ ...request, mode, expected: 1 }, message);
  });

  it('refuses to replay everything unless the request says up to when', () => {
    refused({ mode: 'replay', expected: 5 }, /^Say which events to replay/);
    expect(readReplayRequest({ mode: 'replay', receivedTo: to, expected: 5 })).toMatchObject({ receivedTo: to });
  });

  it('refuses a replay without the number that the count gave', () => {
    refused({ mode: 'replay', reason: 'NOT_JSON' }, /^Count first/);
  });

  it.each([{ eventIds: ['canary'] }, { canary: 1 }, { receivedTo: 'canary' }, { mode: 'canary' }])(
    'refuses %j without quoting the request',
    (request) => {
      expect(() => readReplayRequest(request)).toThrow(expect.objectContaining({ code: 'ReplayRequestError' }));
      expect(() => readReplayRequest(request)).not.toThrow('canary');
    },
  );
});
