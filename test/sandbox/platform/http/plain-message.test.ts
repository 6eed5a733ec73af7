import { expect, it } from 'vitest';
import { startPlatform } from '#test/sandbox/platform/platform-fixture.ts';

const person = { firstName: 'Ada', lastName: 'Muster', gender: 'FEMALE', birthDay: '1990-02-03', birthPlace: 'Ulm' };

it.each([
  ['/control/clock/advance', {}, 'seconds: must be given'],
  ['/control/clock/advance', { seconds: 'many' }, 'seconds: must be a number'],
  ['/control/clock/advance', { seconds: -1 }, 'seconds: must be at least 0'],
  ['/control/clock/advance', [], 'body: must be an object'],
  ['/control/transfers', { direction: 'UP' }, 'direction: must be one of OUT, IN'],
  ['/control/faults', { effect: 'NO_ANSWER', share: 0 }, 'share: must be above 0'],
  ['/control/faults', { effect: 'ANSWER', status: 200.5 }, 'status: must be a whole number'],
  ['/control/faults', { effect: 'NO_ANSWER', commits: 1 }, 'commits: must be true or false'],
  ['/control/undelivered-webhooks', { count: 200_000 }, 'count: must be at most 100000'],
  ['/control/proxies', { representativeId: 'a', naturalPersonId: 'b' }, 'representativeId: must be a UUID'],
  ['/control/natural-persons', { birthDay: '3.2.1990' }, 'birthDay: must be a date such as 2026-11-21'],
  ['/control/natural-persons', { lastName: '' }, 'lastName: must not be empty'],
  ['/control/natural-persons', { lastName: 'x'.repeat(256) }, 'lastName: must have at most 255 characters'],
  ['/control/natural-persons', { status: 'WELL' }, 'status: must be one of RECEIVED, INVALID, REVIEW'],
  ['/control/natural-persons', { sourceOfIncome: 'GOLD' }, 'sourceOfIncome: must be a list'],
  [
    '/control/natural-persons',
    { ...person, firstName: ' Ada' },
    'firstName: must be words with one space between them',
  ],
])('says in plain words what is wrong with a body for %s: %j', async (path, body, message) => {
  const answer = await startPlatform().request('POST', path, { body });
  expect([answer.status, answer.body]).toEqual([
    400,
    expect.objectContaining({ message: expect.stringContaining(message) }),
  ]);
  expect(JSON.stringify(answer.body)).not.toMatch(/Invalid|expected|received/);
});

it('lists the values of a setting that has several', async () => {
  const { body } = await startPlatform().request('PATCH', '/control/settings', {
    body: { missingRequestorStatus: 404 },
  });
  expect(body).toMatchObject({ message: 'missingRequestorStatus: must be one of 400, 403' });
});
