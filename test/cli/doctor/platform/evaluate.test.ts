import { describe, expect, it } from 'vitest';
import {
  evaluateCondition,
  evaluateEventTypes,
  evaluateFilter,
  evaluateNotFound,
  evaluateRequestor,
  evaluateStatuses,
  evaluateTimes,
} from '#cli/doctor/platform/evaluate-answers.ts';
import { evaluateList, type ListReads } from '#cli/doctor/platform/evaluate-list.ts';
import { evaluateToken } from '#cli/doctor/platform/evaluate-token.ts';
import { type Evaluation, reportOf } from '#cli/doctor/platform/evaluation.ts';
import type { Observed } from '#cli/doctor/platform/platform-reads.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const profile = platformProfile.parse({});
const now = new Date('2026-01-02T03:04:05Z');
const canary = 'Zwiebelmann';
const personId = '0190a6f0-5678-7abc-8def-0123456789ab';

const answer = (status: number, body?: unknown): Observed => ({
  status,
  headers: new Headers(),
  body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
});
const missed: Observed = { missed: 'no answer within 10000 ms' };

/** The result, and words of the detail and of the remedy. */
type Expected = readonly [result: string, words: string, change?: object];

function check({ found, change }: Evaluation, [result, words, expected]: Expected) {
  expect(found).toHaveLength(1);
  expect(found[0]?.result).toBe(result);
  expect(`${found[0]?.detail} → ${found[0]?.remedy}`).toContain(words);
  expect(JSON.stringify(found)).not.toContain(canary);
  expect(change).toEqual(expected);
}

describe('cli doctor --platform: evaluateToken', () => {
  const token = { access_token: canary, token_type: 'Bearer', expires_in: 3600 };

  it.each<readonly [string, Observed, Expected]>([
    ['the documented answer', answer(200, token), ['good', 'expires_in 3600 s as a number']],
    ['an expiry in a text', answer(200, { ...token, expires_in: '3600' }), ['good', 'expires_in 3600 s as a text']],
    ['another type', answer(200, { ...token, token_type: canary }), ['problem', 'token_type not Bearer']],
    ['a missing scope', answer(400, { error: 'invalid_scope' }), ['problem', 'set platformProfile.token.scope']],
    ['wrong credentials', answer(401, { error: 'invalid_client' }), ['problem', 'Check the client id']],
    ['an outage', answer(503), ['unknown', '503']],
    ['no such path', answer(404), ['problem', 'Ask the operator for the path']],
  ])('evaluates %s', (_, observed, expected) => {
    check(evaluateToken([{ path: '/oauth2/token', answer: observed }], undefined), expected);
  });

  const moved = { token: { path: '/connect/token' } };
  it.each<readonly [string, Observed, Observed, Expected]>([
    ['answers where the other is none', answer(404), answer(200, token), ['problem', 'to /connect/token.', moved]],
    [
      'lacks a scope',
      answer(401, { title: canary }),
      answer(400, { error: 'invalid_scope' }),
      ['problem', 'to /connect/token. Ask the operator for the scope', moved],
    ],
    ['may be none', answer(404), answer(401), ['problem', '/connect/token answers 401']],
  ])('sets the path of a further token request where it is the token service: one that %s', (_, ...answers) => {
    const [first, second, expected] = answers;
    const attempts = [
      { path: '/oauth2/token', answer: first },
      { path: '/connect/token', answer: second },
    ];
    check(evaluateToken(attempts, undefined), expected);
  });
});

describe('cli doctor --platform: evaluateList', () => {
  const members = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ naturalPersonId: `id-${from + index}`, lastName: canary }));
  const page = (data: readonly unknown[], cursor?: unknown, limit?: number) =>
    answer(200, { data, pagination: { cursor, limit } });
  const reads = (
    first: Observed,
    others: Partial<Record<'second' | 'large' | 'afterLarge', Observed>> = {},
  ): ListReads => ({
    path: '/list',
    first: { limit: 2, answer: first },
    second: others.second && { limit: 2, answer: others.second },
    large: others.large && { limit: 100, answer: others.large },
    afterLarge: others.afterLarge && { limit: 100, answer: others.afterLarge },
  });

  it.each<readonly [string, ListReads, Expected]>([
    ['a bare list', reads(answer(200, members(3))), ['good', 'a bare list: 3 members']],
    [
      'pages with an end',
      reads(page(members(2), 'next'), { second: page(members(1, 2), ''), large: page(members(3), '') }),
      ['good', 'the cursor is a text; the cursor of the last page is empty text'],
    ],
    [
      'a cursor that is repeated at the end',
      reads(page(members(2), 7), {
        second: page(members(2, 2), 8),
        large: page(members(4), 9),
        afterLarge: page([], 9),
      }),
      ['good', 'the cursor is a number; the last page repeats its cursor'],
    ],
    [
      'a maximum below the page size',
      reads(page(members(2), 'a'), { second: page(members(2, 2), 'b'), large: page(members(10), 'c') }),
      ['problem', 'Set platformProfile.pageSize to 10', { pageSize: 10 }],
    ],
    [
      'a cursor that is not read',
      reads(page(members(2), 'a'), { second: page(members(2), 'a') }),
      ['problem', 'is the first page again'],
    ],
    [
      'a cursor that stands elsewhere',
      reads(page(members(2)), { large: page(members(30)) }),
      ['problem', 'no cursor was seen; the end was not read; the list has 30 members or more, but its page of 2 has'],
    ],
    [
      'a full page without a cursor, where no more members are known',
      reads(page(members(100)), { large: page(members(100)) }),
      [
        'unknown',
        'no cursor was seen; the cursor of the last page is absent; the page is full, so that more may follow',
      ],
    ],
    ['no such path', reads(answer(404)), ['problem', 'set platformProfile.webhookPaths.missing']],
    ['a refused call', reads(answer(403)), ['problem', 'needs a Requestor-ID']],
    ['no answer', reads(missed), ['unknown', 'no answer']],
  ])('evaluates %s', (_, observed, expected) => {
    check(evaluateList(observed, { pageSize: 20, pathSetting: 'webhookPaths.missing' }), expected);
  });
});

describe('cli doctor --platform: evaluateTimes', () => {
  it.each<readonly [string, unknown, object, Expected]>([
    ['a time with a zone', '2026-01-02T03:04:05.123456789+01:00', {}, ['good', 'with a zone: createdOn of persons']],
    ['a time without a zone', '2026-01-02T03:04:05', {}, ['problem', 'set platformProfile.times.zone']],
    ['a time whose zone the profile has', '2026-01-02 03:04', { zone: 'Europe/Vienna' }, ['good', 'without a zone']],
    ['seconds', 1_767_323_045.5, {}, ['problem', 'times.unit to seconds', { times: { unit: 'seconds' } }]],
    ['another text', canary, {}, ['problem', 'not readable: createdOn of persons']],
  ])('evaluates %s', (_, createdOn, times, expected) => {
    const seen = [{ of: 'persons', members: [{ createdOn }], times: ['createdOn'] }];
    check(evaluateTimes(seen, { times }), expected);
  });
});

describe('cli doctor --platform: evaluateStatuses', () => {
  const frozen = { status: 'FROZEN', after: 'ACTIVE', final: false, from: ['ACTIVE'], to: [] };

  it.each<readonly [string, readonly unknown[], object, Expected]>([
    ['known words', ['ACTIVE', { code: 'CREATED' }], {}, ['good', '2 members have ACTIVE, CREATED']],
    ['a word that nothing knows', ['ACTIVE', 'FROZEN'], {}, ['problem', 'not known: FROZEN']],
    ['a declared word', ['FROZEN'], { 'natural-person': [frozen] }, ['good', 'FROZEN']],
    ['texts that are no words', [canary, 'A'.repeat(65)], {}, ['problem', '2 members have no word in capitals']],
  ])('evaluates %s', (_, words, statuses, expected) => {
    const members = words.map((naturalPersonStatus) => ({ naturalPersonStatus, lastName: canary }));
    check(evaluateStatuses('natural-person', { members, field: 'naturalPersonStatus' }, { statuses }), expected);
  });

  it.each<readonly [string, string, object, Expected]>([
    ['a word that usually means a failure', 'CALL_FAILED', {}, ['good', 'CALL_FAILED']],
    ['a word that nothing explains', 'HANDED_OVER', {}, ['problem', 'the lists of platformProfile.verificationWords']],
    ['a word of the profile in lower case', 'completed', { success: ['COMPLETED'] }, ['good', 'COMPLETED']],
  ])('evaluates the status of a verification: %s', (_, status, verificationWords, expected) => {
    const seen = { members: [{ status }], field: 'status' };
    check(evaluateStatuses('identification-verification', seen, { statuses: {}, verificationWords }), expected);
  });
});

describe('cli doctor --platform: evaluateEventTypes', () => {
  const ofVendor = 'ACME_EX_ANTE_DOCUMENT_READY_NOTIFICATION';

  it.each<readonly [string, readonly unknown[] | undefined, Expected]>([
    ['known types', [{ eventType: 'USER_NOTIFICATION' }, 'RE_TOKEN_PRICES'], ['good', '2 event types']],
    [
      'the name of the vendor',
      [{ eventType: ofVendor }],
      ['problem', 'Set platformProfile.exAnteEventType', { exAnteEventType: ofVendor }],
    ],
    [
      'a further type',
      [{ eventType: 'LOAN_NOTIFICATION' }],
      ['problem', 'LOAN_NOTIFICATION', { eventTypes: [...profile.eventTypes, 'LOAN_NOTIFICATION'] }],
    ],
  ])('evaluates %s', (_, members, expected) => {
    check(evaluateEventTypes(members, profile), expected);
  });
});

describe('cli doctor --platform: evaluateNotFound and evaluateCondition', () => {
  it.each<readonly [string, Observed, Expected]>([
    [
      '404 with a body',
      answer(404, { message: canary, requestId: canary, [canary]: 1 }),
      ['good', '404, with message, requestId, 1 more'],
    ],
    ['200', answer(200, {}), ['problem', 'only 404 as not found']],
  ])('evaluates the answer to an unknown id: %s', (_, observed, expected) => {
    check(evaluateNotFound(observed), expected);
  });

  it.each<readonly [string, Observed, Expected]>([
    [
      'in errorCode',
      answer(400, { errorCode: 'VALIDATION_ERROR', message: canary }),
      ['good', 'errorCode says VALIDATION_ERROR'],
    ],
    ['in message', answer(403, { message: 'Requestor-ID invalid' }), ['good', 'message says REQUESTOR_ID_INVALID']],
    ['nowhere', answer(400, { message: canary }), ['problem', 'nothing in the body names']],
  ])('evaluates where a condition stands: %s', (_, observed, expected) => {
    check(evaluateCondition(observed, now), expected);
  });
});

describe('cli doctor --platform: evaluateRequestor', () => {
  const group = 'webhooks';
  const id = { requestor: personId };

  it.each<readonly [string, Omit<Parameters<typeof evaluateRequestor>[0], 'group'>, Expected]>([
    ['a call that needs none', { without: answer(200, []) }, ['good', 'without Requestor-ID 200']],
    [
      'a call that the settings make work',
      { without: answer(400), configured: { ...id, answer: answer(200, []) } },
      ['good', 'of the settings 200'],
    ],
    [
      'a call that another requestor makes work',
      { without: answer(403), candidate: { ...id, answer: answer(200, []) } },
      ['problem', 'the id of onboarding.requestor', { requestors: { webhooks: personId } }],
    ],
    [
      'a call that works without the one of the settings',
      { without: answer(200), configured: { ...id, answer: answer(400) } },
      ['problem', 'to none', { requestors: { webhooks: 'none' } }],
    ],
    [
      'a call that no requestor makes work',
      { without: answer(400), configured: { ...id, answer: answer(403) } },
      ['problem', 'Ask the operator who may make the call'],
    ],
  ])('evaluates %s', (_, observed, expected) => {
    check(evaluateRequestor({ group, ...observed }), expected);
  });
});

describe('cli doctor --platform: evaluateFilter', () => {
  const all = [{ naturalPersonStatus: 'ACTIVE' }, { naturalPersonStatus: 'CREATED' }];
  const read = (parameter: string, members: readonly unknown[] | undefined) => ({
    parameter,
    status: 'ACTIVE',
    members,
  });

  it.each<readonly [string, Parameters<typeof evaluateFilter>[0], Expected]>([
    ['a parameter that filters', [read('naturalPersonStatus', all.slice(0, 1))], ['good', 'naturalPersonStatus']],
    [
      'another parameter that filters',
      [read('naturalPersonStatus', all), read('status', all.slice(0, 1))],
      ['problem', 'to status', { naturalPersonStatusParameter: 'status' }],
    ],
    ['persons of one status', [], ['unknown', 'two statuses']],
  ])('evaluates %s', (_, observed, expected) => {
    check(evaluateFilter(observed, 'naturalPersonStatus'), expected);
  });
});

describe('cli doctor --platform: reportOf', () => {
  it('keeps what the settings file has, adds the changes, and leaves out what is the default', () => {
    const own = { pageSize: 20, times: { dayZone: 'UTC' }, token: { path: '/oauth2/token', scope: 'api' } };
    const changes = [{ times: { unit: 'seconds' } as const }, { pageSize: 10 }, { pageSize: 15 }];
    const results = changes.map((change) => ['lists', { found: [], change }] as const);
    const merged = reportOf(results, own).platformProfile;
    expect(merged).toEqual({ pageSize: 10, times: { dayZone: 'UTC', unit: 'seconds' }, token: { scope: 'api' } });
    expect(platformProfile.safeParse(merged).success).toBe(true);
  });
});
