import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { remedyFor } from '#functions/onboarding/api/problem-remedies.ts';
import { fault } from '#sandbox/platform/faults/faults.ts';
import { newNaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { videoCallsAt } from '#sandbox/platform/verifications/identification-verification-schema.ts';
import { createOnboardingWorld, type World, type WorldOptions } from '#test/functions/onboarding/onboarding-world.ts';
import { bornRecently, byVideo, notAtAll, sampleRequest, supplied } from '#test/functions/onboarding/requests.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { saidBy } from '#test/shared/platform/client/test-client.ts';

let emulators: Emulators;
let tableName: string;
let world: World;
let serial = 0;

beforeAll(async () => {
  emulators = await startEmulators();
  tableName = await emulators.createTable('onboardings', 'onboardings');
});
afterAll(() => emulators.close());
afterEach(async () => {
  await world.close();
  expect(world.errors).toEqual([]);
  expectNoPersonalData();
});

const personal = ['Erika', 'Mustermann', '1990-02-03', 'T22000129', 'partner-', 'partner.example/done'];

/** Promise 8, for every test: nothing of a person is written, published, sent by the queue or thrown. */
function expectNoPersonalData(): void {
  const { lines, published, messages, failures } = world;
  const said = [lines.text(), JSON.stringify(published), JSON.stringify(messages()), ...failures.map(saidBy)].join();
  for (const canary of [...personal, videoCallsAt]) expect(said).not.toContain(canary);
}

const recently = { identificationDate: '2026-10-01' };
const identifications = {
  video: byVideo,
  supplied: { ...supplied, ...recently },
  'supplied, of a minor': { ...bornRecently, ...recently },
  none: notAtAll,
} as const;

type Options = Omit<WorldOptions, 'emulators' | 'tableName'>;

/** A platform on which a person may identify itself, and whose video calls end of themselves. */
const open = { acceptSelfBeforeActive: true, videoCallsAfter: 120 };

async function start(options: Options = {}): Promise<World> {
  world = await createOnboardingWorld({ emulators, tableName, ...options, platform: { ...open, ...options.platform } });
  return world;
}

/** A request for a person that no other test uses. */
function requestOf(more: Partial<OnboardingRequest> = {}): OnboardingRequest {
  serial += 1;
  return sampleRequest({ externalId: `partner-${serial}`, identification: identifications.video, ...more });
}

const detailTypes = () => world.published.map(({ detailType }) => detailType);
const verificationsOf = (naturalPersonId: string) => world.platform.verifications.of(naturalPersonId);

/** What the platform ended up with, of one onboarding. */
async function outcomeOf({ externalId }: OnboardingRequest) {
  const { state, data } = await world.load(externalId);
  const persons = world.persons().filter((person) => person.externalId === externalId);
  const { naturalPersonId = '' } = state;
  return {
    step: state.step,
    persons: persons.length,
    verifications: verificationsOf(naturalPersonId).length,
    identifications: persons[0]?.naturalPersonIdentifications.length,
    data,
  };
}

describe('a person becomes an active customer without an operator', () => {
  it('completes an onboarding by video call', async () => {
    const request = requestOf();
    await start();
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toEqual({
      step: 'COMPLETED',
      persons: 1,
      verifications: 1,
      identifications: 1,
      data: {},
    });
    expect(detailTypes().filter((type) => type !== 'OnboardingProgressed')).toEqual([
      'OnboardingAccepted',
      'OnboardingIdentificationReady',
      'OnboardingCompleted',
    ]);
    const [verification] = verificationsOf((await world.load(request.externalId)).state.naturalPersonId ?? '');
    expect(verification?.identificationUrl).toContain(videoCallsAt);
    expect(JSON.stringify(world.published)).not.toContain(videoCallsAt);
  });

  it.each(['supplied', 'supplied, of a minor'] as const)('by what the partner supplies: %s', async (mode) => {
    const request = requestOf({ identification: identifications[mode] });
    await start();
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({
      step: 'COMPLETED',
      persons: 1,
      verifications: 0,
      identifications: 1,
      data: {},
    });
  });

  it('not at all, where the platform needs none', async () => {
    const request = requestOf({ identification: notAtAll });
    await start();
    await world.accept(request);
    await world.runTo(request.externalId, 'AWAITING_ACTIVATION');
    const { naturalPersonId = '' } = (await world.load(request.externalId)).state;
    for (const status of ['PENDING', 'ACTIVE'] as const) world.platform.persons.changeStatus(naturalPersonId, status);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, identifications: 0, data: {} });
  });

  it('though every webhook is lost', async () => {
    const request = requestOf();
    await start({ losesWebhooks: true });
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, verifications: 1 });
  });
});

/** Lets a call of the platform fail, unless the test says otherwise as often as it is made. */
function fail(operation: string, more: object = {}): void {
  const effect = 'effect' in more ? {} : { effect: 'ANSWER', status: 500 };
  world.platform.faults.place(fault.parse({ operation, ...effect, ...more }));
}

const creates = (path: string) =>
  world.calls.filter((call) => call.method === 'POST' && call.path.endsWith(path)).length;

describe('promise 6: one person, one running verification, even when the answer to a create is lost', () => {
  it.each([
    ['createNaturalPerson', 'video', { commits: true }],
    ['createNaturalPerson', 'video', { commits: true, effect: 'NO_ANSWER' }],
    ['createNaturalPerson', 'none', { commits: false }],
    ['createNaturalPerson', 'none', { commits: false, effect: 'NO_ANSWER' }],
    ['createNaturalPerson', 'none', { status: 200, body: '{}', commits: true }],
    ['createIdentificationVerification', 'video', { commits: true }],
    ['createIdentificationVerification', 'video', { commits: true, effect: 'NO_ANSWER' }],
    ['createIdentificationVerification', 'video', { commits: false }],
    ['createIdentificationVerification', 'video', { status: 200, body: '{}', commits: true }],
    ['createNaturalPersonIdentification', 'supplied', { commits: true }],
    ['createNaturalPersonIdentification', 'supplied', { commits: true, effect: 'NO_ANSWER' }],
    ['createNaturalPersonIdentification', 'supplied', { commits: false }],
  ] as const)('%s, for %s: %j', async (operation, mode, more) => {
    const request = requestOf({ identification: identifications[mode] });
    await start();
    fail(operation, { times: 1, ...more });
    await world.accept(request);
    const end = mode === 'none' ? 'AWAITING_ACTIVATION' : 'COMPLETED';
    await world.runTo(request.externalId, end);
    expect(await outcomeOf(request)).toMatchObject({
      step: end,
      persons: 1,
      verifications: mode === 'video' ? 1 : 0,
      identifications: mode === 'none' ? 0 : 1,
    });
    expect(world.failures.filter((failure) => failure !== undefined)).toEqual([]);
  });

  it('a person whose create is answered with 409 is adopted, once it is found', async () => {
    const request = requestOf();
    await start({ pageSize: 1 });
    for (let number = 1; number <= 60; number += 1) makeReadyPerson(world.platform, {}, 'CREATED');
    world.platform.persons.create({ ...newNaturalPerson.parse(request.person), externalId: request.externalId });
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, verifications: 1 });
    expect(creates('/entities/natural-persons')).toBe(1);
  });

  it('but not where it is another person: the fields are named', async () => {
    const request = requestOf();
    await start();
    const other = { ...request.person, firstName: 'Erna', birthDay: '1991-01-01', externalId: request.externalId };
    world.platform.persons.create(newNaturalPerson.parse(other));
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect((await world.load(request.externalId)).state).toMatchObject({
      step: 'FAILED',
      reasons: [{ code: 'EXTERNAL_ID_OF_ANOTHER_PERSON', fields: ['firstName', 'birthDay'] }],
    });
  });

  it('a verification that runs already is adopted, and one that has failed is not', async () => {
    const request = requestOf();
    await start({ platform: { videoCallsAfter: null } });
    const person = newNaturalPerson.parse({ ...request.person, externalId: request.externalId });
    const { naturalPersonId } = world.platform.persons.create(person);
    await world.platform.clock.advance(10);
    const how = { naturalPersonId, externalVerifier: 'EXTERNAL_VERIFIER_ID', identificationType: 'VIDEO_IDENT' };
    const [failed, running] = [1, 2].map(() => world.platform.verifications.create(how).identificationVerificationId);
    await world.platform.clock.advance(10);
    world.platform.verifications.endVideoCall(failed ?? '', 'FAILED');
    await world.accept(request);
    await world.runTo(request.externalId, 'AWAITING_VIDEO_CALL');
    expect((await world.load(request.externalId)).state.identificationVerificationId).toBe(running);
    expect(verificationsOf(naturalPersonId)).toHaveLength(2);
  });

  it.each([
    ['video', 'CREATING_VERIFICATION', '/identification-verifications'],
    ['supplied', 'SENDING_IDENTIFICATION', '/identification'],
  ] as const)('another run sends none while one may be under way: %s', async (mode, step, path) => {
    const request = requestOf({ identification: identifications[mode] });
    await start();
    await world.accept(request);
    const { reached, release } = world.holdNext(path);
    const first = world.runUntil(async () => creates(path) > 0);
    await reached;
    const { onboardingId } = await world.load(request.externalId);
    world.wake(onboardingId);
    await world.workOff();
    expect(await world.stepOf(request.externalId)).toBe(step);
    expect(creates(path)).toBe(1);
    release();
    await first;
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, identifications: 1 });
    expect(creates(path)).toBe(1);
  });

  it('however many wake it at the same moment', async () => {
    const request = requestOf();
    await start();
    await world.accept(request);
    for (let moment = 0; moment < 40; moment += 1) {
      for (let number = 0; number < 3; number += 1) world.wake((await world.load(request.externalId)).onboardingId);
      await world.workOff({ areTogether: true });
      await world.platform.clock.advance(30);
    }
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, verifications: 1, data: {} });
  });
});

describe('design, onboarding: who the requestor is', () => {
  it('waits, stalls once and continues when the person itself is refused as the requestor before it is ACTIVE', async () => {
    const request = requestOf();
    await start({ platform: { acceptSelfBeforeActive: false }, tick: 3_600_000 });
    await world.accept(request);
    await world.runUntil(async () => detailTypes().includes('OnboardingStalled'));
    const { state } = await world.load(request.externalId);
    expect(state).toMatchObject({ step: 'AWAITING_REQUESTOR', reasons: [{ code: 'REQUESTOR_NOT_ACTIVE' }] });
    await world.platform.clock.advance(2 * 86_400);
    await world.wakeDue();
    await world.workOff();
    expect(detailTypes().filter((type) => type === 'OnboardingStalled')).toHaveLength(1);
    for (const status of ['PENDING', 'ACTIVE'] as const)
      world.platform.persons.changeStatus(state.naturalPersonId ?? '', status);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, verifications: 1 });
  });

  it.each(['video', 'supplied'] as const)('a person with a proxy for each: %s', async (mode) => {
    const request = requestOf({ identification: identifications[mode] });
    await start({
      platform: { acceptSelfBeforeActive: false },
      representative: { status: 'ACTIVE', hasProxies: true },
    });
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, identifications: 1 });
  });

  it.each(['video', 'supplied'] as const)('that is not ACTIVE: it waits until it is, %s', async (mode) => {
    const request = requestOf({ identification: identifications[mode] });
    await start({ representative: { status: 'SUSPENDED', hasProxies: true } });
    await world.accept(request);
    await world.runTo(request.externalId, 'AWAITING_REQUESTOR');
    world.platform.persons.changeStatus(world.representativeId ?? '', 'ACTIVE');
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, identifications: 1 });
  });

  it('without a proxy: Requestor-ID invalid stops it, with an error that says how to fix it; then it can be retried', async () => {
    const request = requestOf();
    await start({ representative: { status: 'ACTIVE', hasProxies: false } });
    await world.accept(request);
    await world.runTo(request.externalId, 'STOPPED');
    const { onboardingId, state } = await world.load(request.externalId);
    expect(state.reasons).toEqual([{ code: 'REQUESTOR_ID_INVALID' }]);
    expect(remedyFor('REQUESTOR_ID_INVALID')).toContain('give it one on the platform');
    const before = world.calls.length;
    for (let number = 0; number < 5; number += 1) world.wake(onboardingId);
    await world.workOff();
    expect(world.calls).toHaveLength(before);
    world.platform.proxies.create(world.representativeId ?? '', state.naturalPersonId ?? '');
    await world.operate('retry', onboardingId);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, verifications: 1 });
  });

  it('VALIDATION_ERROR although the requestor is ACTIVE is something else: it stops', async () => {
    const request = requestOf();
    await start({ representative: { status: 'ACTIVE', hasProxies: true } });
    const body = JSON.stringify({ message: 'No.', errorCode: 'VALIDATION_ERROR' });
    fail('createIdentificationVerification', { status: 400, body });
    await world.accept(request);
    await world.runTo(request.externalId, 'STOPPED');
    expect(creates('/identification-verifications')).toBe(2);
  });
});

describe('a person that the platform refuses ends its onboarding', () => {
  it.each(['INVALID', 'REJECTED'])('%s, by its checks', async (outcome) => {
    const request = requestOf();
    await start({ platform: { checkOutcomes: { [outcome]: 1 } } });
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: outcome, persons: 1, verifications: 0, data: {} });
    expect(world.published.at(-1)).toMatchObject({ detailType: 'OnboardingEnded', detail: { step: outcome } });
  });

  it.each(['SUSPENDED', 'BLOCKED', 'DECEASED'] as const)('%s, before it was seen to be ACTIVE', async (status) => {
    const request = requestOf({ identification: notAtAll });
    await start();
    await world.accept(request);
    await world.runTo(request.externalId, 'AWAITING_ACTIVATION');
    const { naturalPersonId = '' } = (await world.load(request.externalId)).state;
    for (const one of ['PENDING', 'ACTIVE', status] as const) world.platform.persons.changeStatus(naturalPersonId, one);
    await world.runToEnd(request.externalId);
    expect(await world.stepOf(request.externalId)).toBe(status);
  });

  it('REVIEW is waited out', async () => {
    const request = requestOf();
    await start({ platform: { checkOutcomes: { REVIEW: 1 } } });
    await world.accept(request);
    await world.runTo(request.externalId, 'AWAITING_CHECKS');
    await world.platform.clock.advance(3_600);
    const { naturalPersonId = '' } = (await world.load(request.externalId)).state;
    world.platform.persons.changeStatus(naturalPersonId, 'CREATED');
    await world.runToEnd(request.externalId);
    expect(await world.stepOf(request.externalId)).toBe('COMPLETED');
  });

  it('a person that the platform no longer shows stops it, after its time', async () => {
    const request = requestOf();
    await start({ tick: 3_600_000 });
    fail('getNaturalPerson', { status: 404 });
    await world.accept(request);
    await world.runTo(request.externalId, 'STOPPED');
    expect((await world.load(request.externalId)).state.reasons).toEqual([{ code: 'PERSON_NOT_FOUND' }]);
  });
});

describe('design, onboarding: the outcome of the video call', () => {
  it('a failure ends it, and a retry begins another', async () => {
    const request = requestOf();
    await start({ platform: { videoCallOutcomes: { IDENT_FAILED: 1 } } });
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect((await world.load(request.externalId)).state).toMatchObject({
      step: 'FAILED',
      reasons: [{ code: 'IDENTIFICATION_IDENT_FAILED' }],
    });
    world.platform.settings.change({ videoCallOutcomes: { APPROVED: 1 } });
    await world.operate('retry', (await world.load(request.externalId)).onboardingId);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, verifications: 2 });
  });

  it('waits for a status that the tables do not have until the step stalls', async () => {
    const request = requestOf();
    const settings = { deadlines: { AWAITING_VIDEO_CALL: 3 * 3_600 } };
    await start({ platform: { videoCallOutcomes: { ON_HOLD: 1 } }, tick: 3_600_000, settings });
    await world.accept(request);
    await world.runUntil(async () => detailTypes().includes('OnboardingStalled'));
    expect(await outcomeOf(request)).toMatchObject({ step: 'AWAITING_VIDEO_CALL', verifications: 1 });
  });

  it('stalls when the video call never happens, and ends without personal data when its time is over', async () => {
    const request = requestOf();
    const settings = { deadlines: { AWAITING_VIDEO_CALL: 3 * 3_600 }, openDays: 1 };
    await start({ platform: { videoCallsAfter: null }, tick: 3_600_000, settings });
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'EXPIRED', verifications: 1, data: {} });
    expect(detailTypes().filter((type) => type === 'OnboardingStalled')).toHaveLength(1);
  });
});

describe('design, onboarding: what the platform answers is no reason to fail, nor for a storm', () => {
  it.each(['getNaturalPerson', 'getIdentificationVerification', '*'])(
    'an outage of %s for an hour',
    async (operation) => {
      const request = requestOf();
      await start();
      fail(operation, { status: 503, seconds: 3_600 });
      await world.accept(request);
      await world.runToEnd(request.externalId);
      expect(await world.stepOf(request.externalId)).toBe('COMPLETED');
      expect(world.failures.filter((failure) => failure !== undefined)).toEqual([]);
      expect(world.calls.length).toBeLessThan(200);
    },
  );

  it('429 with Retry-After is obeyed', async () => {
    const request = requestOf();
    await start();
    fail('createNaturalPerson', { status: 429, retryAfter: '120', times: 1 });
    await world.accept(request);
    await world.workOff();
    const { state } = await world.load(request.externalId);
    expect(state).toMatchObject({ step: 'CREATING_PERSON', dueOn: '2026-11-21T08:02:00.000Z' });
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, verifications: 1 });
    expect(creates('/entities/natural-persons')).toBe(2);
  });

  it.each([
    ['createNaturalPerson', 'video', 429],
    ['createIdentificationVerification', 'video', 429],
    ['createIdentificationVerification', 'video', 404],
    ['createNaturalPersonIdentification', 'supplied', 401],
  ] as const)(
    'a platform that does not take %s (%s, %d) for an hour is asked ever more seldom',
    async (...[operation, mode, status]) => {
      const request = requestOf({ identification: identifications[mode] });
      await start();
      fail(operation, { status, seconds: 3_600 });
      await world.accept(request);
      await world.runToEnd(request.externalId);
      expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, identifications: 1 });
      expect(world.calls.length).toBeLessThan(100);
      expect(world.published.length).toBeLessThan(12);
      expect(detailTypes().filter((type) => type === 'OnboardingStalled')).toHaveLength(1);
    },
  );

  it('a person whose create was not taken is looked for in no list', async () => {
    const request = requestOf();
    await start();
    fail('createNaturalPerson', { status: 429, seconds: 600 });
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(creates('/entities/natural-persons')).toBeGreaterThan(2);
    expect(world.calls).not.toContainEqual({ method: 'GET', path: '/entities/natural-persons' });
  });

  it('400 fails it with the fields that the platform names, and sends nothing again', async () => {
    const request = requestOf();
    await start();
    const errorDetails = [{ field: 'taxDetails[0].taxId', errors: [{ code: 'PATTERN', message: 'Erika is wrong' }] }];
    fail('createNaturalPerson', { status: 400, body: JSON.stringify({ message: 'Erika', errorDetails }) });
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect((await world.load(request.externalId)).state).toMatchObject({
      step: 'FAILED',
      reasons: [{ code: 'BAD_REQUEST', fields: ['taxDetails[0].taxId'] }],
    });
    expect(creates('/entities/natural-persons')).toBe(1);
    expect(await outcomeOf(request)).toMatchObject({ data: { redirectUrl: byVideo.redirectUrl } });
  });

  it.each([
    ['createNaturalPerson', 403, 'FORBIDDEN'],
    ['createIdentificationVerification', 501, 'NOT_IMPLEMENTED'],
    ['createIdentificationVerification', 405, 'HTTP_405'],
  ])('stops until an operator has fixed the cause: %s, %d', async (operation, status, code) => {
    const request = requestOf();
    await start();
    fail(operation, { status, times: 1 });
    await world.accept(request);
    await world.runTo(request.externalId, 'STOPPED');
    expect((await world.load(request.externalId)).state.reasons).toEqual([{ code }]);
    await world.operate('retry', (await world.load(request.externalId)).onboardingId);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, verifications: 1 });
  });

  it('an externalId whose person is not shown stops it, after its time', async () => {
    const request = requestOf();
    await start();
    fail('createNaturalPerson', { status: 409 });
    await world.accept(request);
    await world.runTo(request.externalId, 'STOPPED');
    expect((await world.load(request.externalId)).state.reasons).toEqual([{ code: 'CONFLICT_UNEXPLAINED' }]);
    expect(creates('/entities/natural-persons')).toBe(1);
  });

  it('but not for an outage of the list, however long: it stalls, and the person is adopted after that', async () => {
    const request = requestOf();
    await start();
    world.platform.persons.create(newNaturalPerson.parse({ ...request.person, externalId: request.externalId }));
    fail('listNaturalPersons', { status: 503, seconds: 2 * 3_600 });
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, verifications: 1 });
    expect(detailTypes().filter((type) => type === 'OnboardingStalled')).toHaveLength(1);
  });

  it('stops when no person is listed after an outage', async () => {
    const request = requestOf();
    await start();
    fail('createNaturalPerson', { status: 409 });
    fail('listNaturalPersons', { status: 503, seconds: 2 * 3_600 });
    await world.accept(request);
    await world.runTo(request.externalId, 'STOPPED');
    expect((await world.load(request.externalId)).state.reasons).toEqual([{ code: 'CONFLICT_UNEXPLAINED' }]);
    expect(detailTypes()).toContain('OnboardingStalled');
  });
});

describe('an operator cancels an onboarding', () => {
  it.each(['REQUESTED', 'AWAITING_CHECKS', 'AWAITING_VIDEO_CALL', 'AWAITING_ACTIVATION'])(
    'ends the onboarding as CANCELED at %s',
    async (step) => {
      const request = requestOf();
      await start({ platform: { activationsAfter: 3_600 } });
      await world.accept(request);
      if (step !== 'REQUESTED') await world.runTo(request.externalId, step);
      expect(await world.operate('cancel', (await world.load(request.externalId)).onboardingId)).toMatchObject({
        outcome: 'DONE',
      });
      await world.runToEnd(request.externalId);
      expect(await outcomeOf(request)).toMatchObject({ step: 'CANCELED', data: {} });
      expect(world.published.at(-1)).toMatchObject({ detailType: 'OnboardingEnded', detail: { step: 'CANCELED' } });
    },
  );
});

describe('an erased onboarding stays erased', () => {
  it('changes nothing for any message that still names it', async () => {
    const request = requestOf();
    await start();
    await world.accept(request);
    await world.runTo(request.externalId, 'AWAITING_VIDEO_CALL');
    const { onboardingId } = await world.load(request.externalId);
    await world.erase(request.externalId);
    const before = world.calls.length;
    world.wake(onboardingId);
    await world.platform.clock.advance(3_600);
    await world.workOff();
    expect(world.calls).toHaveLength(before);
    expect(await world.request(request)).toMatchObject({ outcome: 'ERASED' });
    expect(await world.store.load(onboardingId)).toHaveProperty('erasedOn');
  });
});
