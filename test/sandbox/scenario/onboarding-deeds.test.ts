import { beforeEach, describe, expect, it } from 'vitest';
import { supported } from '#sandbox/platform/persons/identification-verification-schema.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { createPlatform, type Platform } from '#sandbox/platform/platform.ts';
import { createDeeds, type Deeds } from '#sandbox/scenario/onboarding-deeds.ts';
import { type Fate, fates, fatesByProxy } from '#sandbox/scenario/onboarding-fates.ts';
import { live } from '#sandbox/scenario/onboarding-lives.ts';
import type { Answer } from '#sandbox/scenario/onboarding-partner.ts';
import { createRequest, updateOf } from '#sandbox/scenario/onboarding-request.ts';
import { appointRepresentative } from '#sandbox/scenario/onboarding-requestor.ts';
import { onboardingIdOf } from '#shared/onboarding-keys.ts';
import type { OnboardingRow } from '#shared/onboarding-row.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding-state.ts';

const time = '2026-11-21T08:00:00.000Z';

let platform: Platform;
let asked: unknown[] = [];
let answer: Answer;
let isAllowedAgain: boolean;
beforeEach(() => {
  platform = createPlatform({ frozenAt: new Date(time), fetch, now: () => new Date(), onError: () => undefined });
  asked = [];
  answer = { status: 202, body: '', tries: 1 };
  isAllowedAgain = false;
});

function fateOf(name: string): Fate {
  const fate = fatesByProxy[name];
  if (fate === undefined) throw new Error(`There is no fate ${name}.`);
  return fate;
}

const isOffered = () => true;

/** The deeds about one onboarding of a fate, of which the partner's API says what `answer` says. */
function deedsOf(name: string) {
  const fate = fateOf(name);
  const request = createRequest(1, fate, new Date(time));
  const planned = { name, fate, request, isByEvent: false };
  const ask = async (...what: readonly unknown[]) => {
    asked.push(what);
    return answer;
  };
  const deeds = createDeeds({
    platform,
    plan: [planned],
    isAllowedAgain: () => isAllowedAgain,
    partner: {
      operate: (operation, externalId) => ask(operation, externalId),
      update: (externalId, update) => ask('update', externalId, update),
      erase: (externalId) => ask('erase', externalId),
    },
  });
  return { deeds, planned, externalId: request.externalId };
}

function rowOf(
  externalId: string,
  state: Partial<OnboardingState>,
  outbox: OnboardingRow['outbox'] = [],
): OnboardingRow {
  return {
    onboardingId: onboardingIdOf(externalId),
    version: 1,
    state: { ...newOnboarding('video', time), ...state },
    data: {},
    digests: { salt: '', whole: '', fields: {} },
    outbox,
    expiresAt: 0,
  };
}

const wrong = ({ done }: Deeds) => done().filter(({ answered, expected }) => answered !== expected).length;

describe("issue 6, in the scenario onboarding: the partner's people", () => {
  it('do what is due at the step where the onboarding is, once, one after the other', async () => {
    const { deeds, externalId } = deedsOf('canceled, then erased');
    expect(await deeds.act([rowOf(externalId, { step: 'AWAITING_CHECKS' })])).toBe(false);
    const waiting = [rowOf(externalId, { step: 'AWAITING_VIDEO_CALL' })];
    expect(await deeds.act(waiting)).toBe(true);
    expect(await deeds.act(waiting)).toBe(false);
    expect([deeds.left(), deeds.isErased(externalId)]).toEqual([1, false]);
    answer = { ...answer, status: 204 };
    await deeds.act([rowOf(externalId, { step: 'CANCELED' })]);
    expect(asked).toEqual([
      ['cancel', externalId],
      ['erase', externalId],
    ]);
    expect([deeds.left(), deeds.isErased(externalId), wrong(deeds)]).toEqual([0, true, 0]);
    expect(deeds.counts()).toEqual({ cancel: 1, erase: 1 });
  });

  it('wait until they are told of it', async () => {
    const { deeds, externalId } = deedsOf('REJECTED, then erased');
    const detail = { onboardingId: 'o', sequence: 2, step: 'REJECTED', since: time, mode: 'none' } as const;
    const row = rowOf(externalId, { step: 'REJECTED' }, [{ detailType: 'OnboardingEnded', detail }]);
    expect(await deeds.act([row])).toBe(false);
  });

  it.each([
    [204, 1, 1],
    [409, 1, 1],
    [409, 2, 0],
    [404, 2, 1],
  ])('a retry that is answered %i after %i tries: %i are wrong', async (status, tries, count) => {
    const { deeds, externalId } = deedsOf('a second video call, when retried');
    answer = { ...answer, status, tries };
    await deeds.act([rowOf(externalId, { step: 'FAILED' })]);
    expect(wrong(deeds)).toBe(count);
  });

  it.each<[string, 'ACTIVE' | 'CREATED', number]>([
    ['taken where the person may act', 'ACTIVE', 202],
    ['refused where it may not yet (section 5)', 'CREATED', 409],
  ])('expect an update to be %s', async (_, status, expected) => {
    const { deeds, planned, externalId } = deedsOf('updated while it is checked');
    const { naturalPersonId } = makeReadyPerson(platform, { externalId }, status);
    await deeds.act([rowOf(externalId, { step: 'AWAITING_CHECKS', naturalPersonId })]);
    expect(deeds.done()).toMatchObject([{ what: 'update', expected }]);
    expect(asked).toEqual([['update', externalId, updateOf(planned.request)]]);
  });

  it('retry what the platform refused once it does so no more', async () => {
    const { deeds, externalId } = deedsOf('by video');
    const row = rowOf(externalId, { step: 'STOPPED', reasons: [{ code: 'FORBIDDEN' }] });
    expect(await deeds.act([row])).toBe(false);
    isAllowedAgain = true;
    expect(await deeds.act([row])).toBe(true);
    expect(asked).toEqual([['retry', externalId]]);
    expect(await deeds.act([rowOf(externalId, { step: 'STOPPED', reasons: [{ code: 'EXTERNAL_ID_TAKEN' }] })])).toBe(
      false,
    );
  });

  it('give the requestor the proxy that it lacks, then retry', async () => {
    const { requestor } = appointRepresentative(platform);
    const { deeds, planned, externalId } = deedsOf('by video, without a proxy at first');
    const { naturalPersonId } = makeReadyPerson(platform, { externalId }, 'RECEIVED');
    live(platform, planned.fate, platform.persons.get(naturalPersonId), { awaited: undefined, isOffered });
    expect(platform.proxies.isActive(requestor, naturalPersonId)).toBe(false);
    const reasons = [{ code: 'REQUESTOR_ID_INVALID' }];
    expect(await deeds.act([rowOf(externalId, { step: 'STOPPED', reasons, naturalPersonId })])).toBe(true);
    expect(platform.proxies.isActive(requestor, naturalPersonId)).toBe(true);
    expect(asked).toEqual([['retry', externalId]]);
  });
});

describe('issue 6, in the scenario onboarding: platform and person', () => {
  it.each([
    ['check', 'updated while it is checked', 'RECEIVED', 'CREATED'],
    ['activate', 'by video', 'PENDING', 'ACTIVE'],
  ] as const)('%s a person, unless somebody is to do something first', (_, name, status, next) => {
    const { deeds, planned, externalId } = deedsOf(name);
    const { naturalPersonId } = makeReadyPerson(platform, { externalId }, status);
    const awaited = deeds.awaited(planned);
    live(platform, planned.fate, platform.persons.get(naturalPersonId), { awaited, isOffered });
    expect(platform.statusOf(naturalPersonId)).toBe(awaited === undefined ? next : status);
    live(platform, planned.fate, platform.persons.get(naturalPersonId), { awaited: undefined, isOffered });
    expect(platform.statusOf(naturalPersonId)).toBe(next);
  });

  it('make a video call of which each has its own outcome, and none after the last', async () => {
    const { naturalPersonId } = makeReadyPerson(platform, { birthDay: '1980-01-01' }, 'CREATED');
    const fate = { ...fates['a second video call, when retried'], videoCalls: ['FAILED', 'ABORTED'] };
    const outcomes: string[] = [];
    for (let call = 0; call < 3; call += 1) {
      const { identificationVerificationId: id } = platform.verifications.create({ naturalPersonId, ...supported });
      await platform.clock.advance(2);
      live(platform, fate as Fate, platform.persons.get(naturalPersonId), { awaited: undefined, isOffered });
      outcomes.push(platform.verifications.get(id).status);
    }
    expect(outcomes).toEqual(['FAILED', 'ABORTED', 'PENDING']);
  });

  it('make no video call that nobody was told of: its onboarding may still ask for it', async () => {
    const { naturalPersonId } = makeReadyPerson(platform, { birthDay: '1980-01-01' }, 'CREATED');
    const { identificationVerificationId: id } = platform.verifications.create({ naturalPersonId, ...supported });
    await platform.clock.advance(2);
    const person = platform.persons.get(naturalPersonId);
    const offered = new Set<string>();
    const isOffered = (one: string) => offered.has(one);
    live(platform, fateOf('a video call that is given up'), person, { awaited: undefined, isOffered });
    expect(platform.verifications.get(id).status).toBe('PENDING');
    offered.add(id);
    live(platform, fateOf('a video call that is given up'), person, { awaited: undefined, isOffered });
    expect(platform.verifications.get(id).status).toBe('ABORTED_BY_USER');
  });
});
