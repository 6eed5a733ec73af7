import { expect, it } from 'vitest';
import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';
import { type ApiClient, apiErrorOf } from '#cli/deployment/api-client.ts';
import { listOpen } from '#cli/onboardings/list-open.ts';
import { operateAll, targetsOf } from '#cli/onboardings/operate.ts';
import type { OnboardingProgressAnswer } from '#shared/api/onboarding-answers.ts';

const onboarding = (
  digit: string,
  step: OnboardingProgressAnswer['step'],
  more: Partial<OnboardingProgressAnswer> = {},
): OnboardingProgressAnswer => ({
  ...{ onboardingId: digit.repeat(64), mode: 'video', step, sequence: 1, reasons: [], hasIdentificationUrl: false },
  ...{ since: '2026-01-02T03:04:05.000Z', acceptedOn: '2026-01-02T03:04:05.000Z', ...more },
});

/** An API that answers each request as given. */
function apiOf(answer: (method: string, path: string, query: Readonly<Record<string, unknown>>) => unknown): ApiClient {
  return {
    send: async ({ method, path, query = {} }, schema) => z.parse(schema, answer(method, path, query)),
  };
}

it('cancels no onboarding that has left the step of --step since the list', async () => {
  const stalledOn = '2026-01-02T03:04:06.000Z';
  const posts: string[] = [];
  const now = [
    onboarding('a', 'AWAITING_ACTIVATION'),
    onboarding('b', 'AWAITING_VIDEO_CALL'),
    onboarding('c', 'AWAITING_VIDEO_CALL', { stalledOn }),
  ];
  const api = apiOf((method, path) => {
    if (method === 'POST') posts.push(path);
    const found = now.find(({ onboardingId }) => path.includes(onboardingId));
    return method === 'POST' ? { ...found, step: 'CANCELED' } : found;
  });
  const listed = ['a', 'b', 'c'].map((digit) => onboarding(digit, 'AWAITING_VIDEO_CALL', { stalledOn }));
  expect((await operateAll(api, 'cancel', targetsOf(listed), () => undefined)).results).toEqual([
    { externalId: `onboardingId:${'a'.repeat(64)}`, problem: 'is at AWAITING_ACTIVATION now' },
    { externalId: `onboardingId:${'b'.repeat(64)}`, problem: 'is at AWAITING_VIDEO_CALL now, with a new deadline' },
    { externalId: `onboardingId:${'c'.repeat(64)}`, step: 'CANCELED' },
  ]);
  expect(posts).toEqual([expect.stringContaining('c'.repeat(64))]);
});

it.each([
  ['the credentials have expired', new CommandError('There are no valid AWS credentials.', 'aws')],
  ['the role may not call the API', apiErrorOf(403, {}, '/onboardings')],
])('tries no further onboarding once %s', async (_, error) => {
  const answers = [onboarding('a', 'REQUESTED'), apiErrorOf(409, {}, '/onboardings'), error];
  const api = apiOf(() => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const targets = ['a', 'b', 'c', 'd'].map((externalId) => ({ externalId }));
  expect(await operateAll(api, 'retry', targets, () => undefined)).toEqual({
    results: [
      { externalId: 'a', step: 'REQUESTED' },
      { externalId: 'b', problem: expect.stringContaining('409') },
      { externalId: 'c', problem: error.message.split('\n')[0] },
    ],
    stoppedBy: error,
  });
});

it('lists a stalled onboarding past the first 1,000 of its step, and says with --step that there are more', async () => {
  const stalledOn = '2026-01-02T03:04:06.000Z';
  const updatedOn = stalledOn;
  const api = apiOf((_method, _path, { cursor = '0' }) => {
    const page = Number(cursor);
    const item = { ...onboarding('a', 'STOPPED'), updatedOn };
    return page < 5
      ? { items: Array.from({ length: 200 }, () => item), nextCursor: String(page + 1) }
      : { items: [{ ...item, stalledOn }] };
  });
  expect(await listOpen(api, { step: 'STOPPED', isStalled: true })).toMatchObject({
    items: [{ stalledOn }],
    hasMore: false,
  });
  const { items, hasMore } = await listOpen(api, { step: 'STOPPED' });
  expect([items.length, hasMore]).toEqual([1_000, true]);
});
