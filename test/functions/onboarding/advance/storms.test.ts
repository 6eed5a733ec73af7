import { describe, expect, it } from 'vitest';
import { remedyFor } from '#functions/onboarding/api/problem-remedies.ts';
import { createOnboardingApi } from '#functions/onboarding/api/routes.ts';
import { newNaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import { sampleRequest } from '#test/functions/onboarding/requests.ts';
import type { Failure } from './failing-platform.ts';
import { answers, callNames, externalId, startStorm as start, totals, type World, ways } from './platform-storms.ts';

const hour = 3_600;
const day = 24 * hour;

const cases = callNames.flatMap((call) => Object.keys(answers).map((answer) => [answer, call] as const));

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
    expect(remedyFor(reason ?? '')).toBeDefined();
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

describe('an answer with a text that no row of DynamoDB takes', () => {
  const long = 'x'.repeat(3_000);
  const person = (naturalPersonId: string) => ({ data: [{ naturalPersonId, externalId }] });

  it.each([
    ['an empty id', 'create person', { naturalPersonId: '' }],
    ['an id of 3,000 characters', 'create person', { naturalPersonId: long }],
    ['an empty id', 'create verification', { identificationVerificationId: '' }],
    ['an id of 3,000 characters', 'create verification', { identificationVerificationId: long }],
    ['a person with an empty id', 'list of persons', person('')],
    ['a person with an id of 3,000 characters', 'list of persons', person(long)],
    [
      'a URL of 500,000 characters',
      'get verification',
      { identificationVerificationId: 'v', identificationUrl: 'x'.repeat(500_000) },
    ],
  ] as const)('stops the onboarding after at most 40 calls of a day when %s answers the %s', async (_, call, body) => {
    const world = await start(call, { status: 200, body: JSON.stringify(body) });
    await world.run(day);
    const { state } = await world.load(externalId);
    expect([state.step, state.reasons]).toEqual(['STOPPED', [{ code: 'UNREADABLE_ANSWER' }]]);
    const { creates: sent, walks: walked } = totals(world);
    expect(Math.max(sent, walked)).toBeLessThanOrEqual(40);
    world.close();
  });
});

describe('a flood of webhooks while the platform fails', () => {
  const flood = { every: 10 * 60, times: 30 };

  it.each(callNames)('causes no attempt beside those of the back-off, of the %s', async (call) => {
    const calm = await start(call, { status: 500 });
    await calm.run(8 * hour);
    const flooded = await start(call, { status: 500 });
    await flooded.run(8 * hour, { every: flood.every, does: () => flooded.wake(externalId, flood.times) });
    expect(totals(flooded)).toEqual(totals(calm));
    calm.close();
    flooded.close();
  });
});

describe('GET /onboardings/{externalId} while the platform fails a step', () => {
  async function get({ load }: World) {
    const row = await load(externalId);
    const never = async () => expect.unreachable();
    const api = createOnboardingApi({
      request: never,
      operate: never,
      store: { load: async () => row },
      list: never,
    });
    const { body = '' } = await api({ routeKey: 'GET /onboardings/{externalId}', pathParameters: { externalId } });
    return JSON.parse(body);
  }

  it('shows the failure, its attempts and the time of the next one', async () => {
    const world = await start('create person', { status: 503 });
    await world.run(5 * hour);
    const { dueOn } = (await world.load(externalId)).state;
    expect(await get(world)).toMatchObject({
      step: 'CREATING_PERSON',
      failing: {
        code: 'HTTP_503',
        since: expect.stringMatching(/^2026-11-21T08:00:/),
        attempts: world.countOf('create person'),
        nextAttemptOn: dueOn,
        remedy: expect.stringContaining('/retry'),
      },
    });
    world.close();
  });

  it.each([
    ['works again', 5 * hour, {}, 'AWAITING_ACTIVATION'],
    ['has failed for so long that the onboarding is STOPPED', day, undefined, 'STOPPED'],
  ] as const)('shows no failing step once the platform %s', async (_, time, fails, step) => {
    const world = await start('create person', { status: 503 });
    await world.run(time);
    if (fails !== undefined) world.failWith(fails);
    await world.run(hour + 60);
    const shown = await get(world);
    expect(shown).toMatchObject({ step });
    expect(shown).not.toHaveProperty('failing');
    world.close();
  });
});

describe('a platform that works again', () => {
  it.each(callNames)('takes every onboarding on within the hour, after 8 hours without the %s', async (call) => {
    const world = await start(call, { status: 503 });
    await world.run(8 * hour);
    world.failWith({});
    if (call === 'list of persons')
      world.platform.persons.create(newNaturalPerson.parse({ ...sampleRequest().person, externalId }));
    await world.run(hour + 60);
    const ends = { video: 'AWAITING_VIDEO_CALL', none: 'AWAITING_ACTIVATION', supplied: 'COMPLETED' };
    expect((await world.load(externalId)).state.step).toBe(ends[ways[call][0].mode]);
    expect(world.platform.persons.list({ limit: 10 }).data).toHaveLength(1);
    world.close();
  });

  it.each(callNames)(
    'is called immediately when an operator retries an onboarding that backs off from the %s',
    async (call) => {
      const world = await start(call, { status: 503 });
      await world.run(5 * hour);
      const before = world.countOf(call);
      const { onboardingId } = await world.load(externalId);
      await world.operate('retry', onboardingId);
      await world.work();
      expect(world.countOf(call)).toBeGreaterThan(before);
      world.close();
    },
  );

  it('is called again immediately when an operator retries an onboarding that has stopped', async () => {
    const world = await start('create verification', { status: 500 });
    await world.run(day);
    const { onboardingId, state } = await world.load(externalId);
    expect(state.step).toBe('STOPPED');
    world.failWith({});
    await world.operate('retry', onboardingId);
    await world.work();
    expect((await world.load(externalId)).state.step).toMatch(/^AWAITING_(IDENTIFICATION_URL|VIDEO_CALL)$/);
    world.close();
  });
});

describe('an onboarding that waits', () => {
  it('has no message in its queue until it is due, and then advances once', async () => {
    const world = await start('create person', { status: 500 });
    await world.run(5 * hour);
    const before = totals(world);
    const { dueOn = '' } = (await world.load(externalId)).state;
    const seconds = (Date.parse(dueOn) - world.platform.clock.now().getTime()) / 1_000;
    await world.run(Math.floor(seconds) - 1);
    expect([totals(world), world.messages()]).toEqual([before, []]);
    await world.run(180);
    expect(totals(world).creates).toBe(before.creates + 1);
    world.close();
  });

  it('comes back within a day, for any Retry-After', async () => {
    const world = await start('create person', { status: 429, retryAfter: '9'.repeat(30) });
    await world.run(60);
    const { dueOn = '' } = (await world.load(externalId)).state;
    expect(Date.parse(dueOn) - Date.parse('2026-11-21T08:00:00Z')).toBeLessThanOrEqual(day * 1_000 + 60_000);
    world.close();
  });
});

describe('a create of a person whose answer is lost', () => {
  const lost: Failure = { status: 500, commits: true };

  it('is sent again, and the list is searched only once the platform answers 409', async () => {
    const world = await start('create person', lost);
    await world.work();
    world.failWith({});
    await world.run(180);
    expect((await world.load(externalId)).state.step).toBe('AWAITING_ACTIVATION');
    expect(world.counts()).toMatchObject({ 'create person': 2, 'walk of persons': 1 });
    expect(world.platform.persons.list({ limit: 10 }).data).toHaveLength(1);
    world.close();
  });

  it('searches no list when it was not taken', async () => {
    const world = await start('create person', { status: 500 });
    await world.work();
    world.failWith({});
    await world.run(180);
    expect((await world.load(externalId)).state.step).toBe('AWAITING_ACTIVATION');
    expect(world.counts()).not.toHaveProperty('walk of persons');
    world.close();
  });

  it('is searched for before it is sent again, where the platform may take a second person', async () => {
    const world = await start('create person', lost, { profile: { isExternalIdUnique: false } });
    await world.run(180);
    expect((await world.load(externalId)).state.step).toBe('AWAITING_ACTIVATION');
    expect(world.counts()).toMatchObject({ 'create person': 1, 'walk of persons': 1 });
    world.close();
  });
});

describe('a 409 after which no person of the externalId is found', () => {
  const conflict = (body: object): Failure => ({ status: 409, body: JSON.stringify(body) });

  it.each([
    ['CONFLICT_UNEXPLAINED', {}],
    ['CONFLICT_UNEXPLAINED', { message: 'Conflict', errorCode: 'CONFLICT', errorDetails: [{ field: 7 }, 'x'] }],
    ['EXTERNAL_ID_TAKEN', { errorDetails: [{ field: 'data.external_id', errors: [{ code: 'UNIQUE' }] }] }],
    ['EXTERNAL_ID_TAKEN', { errorCode: 'EXTERNAL_ID_NOT_UNIQUE' }],
    ['PERSON_HAS_ANOTHER_EXTERNAL_ID', { errorCode: 'PERSON_ALREADY_EXISTS' }],
    ['PERSON_HAS_ANOTHER_EXTERNAL_ID', { errorCode: 'KNOWN_UNDER_ANOTHER_EXTERNAL_ID' }],
    ['PERSON_HAS_ANOTHER_EXTERNAL_ID', { errorDetails: [{ field: 'taxDetails[0].taxId' }] }],
  ])('stops the onboarding with %s for the body %j', async (code, body) => {
    const world = await start('create person', conflict(body));
    await world.run(3 * hour);
    const { state } = await world.load(externalId);
    expect([state.step, state.reasons]).toEqual(['STOPPED', [{ code }]]);
    expect(remedyFor(code)).toBeDefined();
    expect(totals(world)).toMatchObject({ creates: 1, walks: expect.toSatisfy((count: number) => count <= 15) });
    world.close();
  });

  it('says that the person is known under another externalId when the list shows such a person', async () => {
    const world = await start('create person', conflict({}));
    world.platform.persons.create(newNaturalPerson.parse({ ...sampleRequest().person, externalId: 'another' }));
    await world.run(3 * hour);
    expect((await world.load(externalId)).state.reasons).toEqual([{ code: 'PERSON_HAS_ANOTHER_EXTERNAL_ID' }]);
    world.close();
  });
});
