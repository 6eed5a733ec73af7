import { describe, expect, it } from 'vitest';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { everyNth } from '#test/full-size.ts';
import { byVideo, notAtAll, sampleRequest, supplied } from '#test/functions/onboarding/requests.ts';
import {
  type AdvanceWorld,
  type AdvanceWorldOptions,
  type CallName,
  createAdvanceWorld,
  type Failure,
} from './advance-world.ts';

/*
 * What no table of the state machine proves: how often a platform is asked in a day, since that follows from the back-off of each step, the
 * time that an answer takes, and all steps that the onboarding comes through. The simulation has outages of hours with random answers, and
 * not a day of one answer.
 */

const hour = 3_600;
const day = 24 * hour;
const externalId = 'partner-1';

/** An answer of each kind that an onboarding decides on, and the reason with which the onboarding stops then. */
const answers: Readonly<Record<string, readonly [failure: Failure, reason: string]>> = {
  500: [{ status: 500 }, 'HTTP_500'],
  '429 with Retry-After': [{ status: 429, retryAfter: '7' }, 'HTTP_429'],
  401: [{ status: 401 }, 'HTTP_401'],
  403: [{ status: 403 }, 'FORBIDDEN'],
  'a time-out': ['no answer', 'NO_ANSWER'],
  'malformed JSON': [{ status: 200, body: '{"data": [' }, 'UNREADABLE_ANSWER'],
};

/** How an onboarding comes to each call: its identification, and what else fails. */
const ways: Readonly<Record<CallName, readonly [OnboardingRequest['identification'], AdvanceWorldOptions['fails']]>> = {
  'create person': [notAtAll, {}],
  'create verification': [byVideo, {}],
  'send identification': [{ ...supplied, identificationDate: '2026-10-01' }, {}],
  'list of persons': [notAtAll, { 'create person': { status: 409 } }],
  'list of verifications': [byVideo, { 'create verification': { status: 500 } }],
  'get person': [notAtAll, {}],
  'get verification': [byVideo, {}],
};

/** An onboarding whose platform answers every such call alike. */
async function start(
  call: CallName,
  failure: Failure,
  options: Omit<AdvanceWorldOptions, 'fails'> = {},
): Promise<AdvanceWorld> {
  const [identification, others] = ways[call];
  const world = createAdvanceWorld({ ...options, fails: { ...others, [call]: failure } });
  await world.accept(sampleRequest({ externalId, identification }));
  return world;
}

const creates = ['create person', 'create verification', 'send identification'] as const;
const walks = ['walk of persons', 'walk of verifications'] as const;
const reads = ['get person', 'get verification', 'list of persons', 'list of verifications'] as const;

/** How often the platform was asked to create something, how many lists were walked, and how many pages and records were read. */
function totals({ countOf }: AdvanceWorld) {
  const sum = (counted: readonly Parameters<typeof countOf>[0][]) =>
    counted.reduce((total, name) => total + countOf(name), 0);
  return { creates: sum(creates), walks: sum(walks), reads: sum(reads) };
}

const callNames = Object.keys(ways) as readonly CallName[];

const cases = everyNth(
  5,
  callNames.flatMap((call) => Object.keys(answers).map((answer) => [answer, call] as const)),
);

/** Deadlines that no step reaches in a day: nothing but the back-off then bounds what is sent. */
const withoutStop = {
  stopAfterHours: 1_000,
  deadlines: { CREATING_PERSON: 90 * day, FINDING_PERSON: 90 * day, CREATING_VERIFICATION: 90 * day },
};

describe('an onboarding whose platform fails one call all day', () => {
  it.each(cases)('sends at most 40 creates and walks at most 40 lists when %s answers the %s', async (answer, call) => {
    const [failure, reason] = answers[answer] ?? [];
    const world = await start(call, failure ?? 'no answer');
    await world.run(day);
    const { creates: sent, walks: walked, reads: read } = totals(world);
    expect({ sent, walked, read }).toEqual({
      sent: expect.toSatisfy((count: number) => count > 0 && count <= 40),
      walked: expect.toSatisfy((count: number) => count <= 40),
      read: expect.toSatisfy((count: number) => count <= 100),
    });
    const { state } = await world.load(externalId);
    const reasons = state.reasons.map(({ code }) => code);
    // The checks of a person may take two days.
    if (call === 'get person') expect([state.step, reasons]).toEqual(['AWAITING_CHECKS', []]);
    else expect([state.step, reasons]).toEqual(['STOPPED', [reason]]);
    world.close();
  });

  it.each(['create person', 'create verification', 'list of persons', 'list of verifications'] as const)(
    'sends no more than that to the %s though no deadline stops it, and every back-off is as short as it can be',
    async (call) => {
      const world = await start(call, { status: 500 }, { settings: withoutStop, random: () => 1 });
      await world.run(day);
      const { creates: sent, walks: walked } = totals(world);
      expect(Math.max(sent, walked)).toBeGreaterThan(30);
      expect(Math.max(sent, walked)).toBeLessThanOrEqual(40);
      world.close();
    },
  );
});

describe('a flood of webhooks while the platform fails', () => {
  // A look that is costly, and a look that is not: each is paced by a rule of its own.
  it.each(['create verification', 'get person'] as const)(
    'causes no attempt beside those of the back-off, of the %s',
    async (call) => {
      const calm = await start(call, { status: 500 });
      await calm.run(8 * hour);
      const flooded = await start(call, { status: 500 });
      await flooded.run(8 * hour, { every: 10 * 60, does: () => flooded.wake(externalId, 30) });
      expect(totals(flooded)).toEqual(totals(calm));
      calm.close();
      flooded.close();
    },
  );
});

describe('a platform that works again', () => {
  it('takes the onboarding on within the hour, after 8 hours of failures', async () => {
    const world = await start('create verification', { status: 503 });
    await world.run(8 * hour);
    world.failWith({});
    await world.run(hour + 60);
    expect((await world.load(externalId)).state.step).toBe('AWAITING_VIDEO_CALL');
    world.close();
  });

  it.each([
    ['backs off', 5 * hour, 'CREATING_VERIFICATION'],
    ['has stopped', day, 'STOPPED'],
  ] as const)('is called immediately when an operator retries an onboarding that %s', async (_, time, step) => {
    const world = await start('create verification', { status: 503 });
    await world.run(time);
    const { onboardingId, state } = await world.load(externalId);
    expect(state.step).toBe(step);
    world.failWith({});
    await world.operate('retry', onboardingId);
    await world.work();
    expect((await world.load(externalId)).state.step).toMatch(/^AWAITING_(IDENTIFICATION_URL|VIDEO_CALL)$/);
    world.close();
  });
});
