import { beforeEach, describe, expect, it } from 'vitest';
import { createPlatform, type Platform } from '#sandbox/platform/app/platform.ts';
import { supported } from '#sandbox/platform/persons/identification-schema.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import type { Answer } from '#sandbox/scenario/onboarding/partner.ts';
import { createPartnerActions, type PartnerActions } from '#sandbox/scenario/onboarding/partner-actions.ts';
import { type Persona, personas, personasByProxy } from '#sandbox/scenario/onboarding/personas.ts';
import { createRequest, updateOf } from '#sandbox/scenario/onboarding/plan.ts';
import { createRepresentative, takeNextStep } from '#sandbox/scenario/onboarding/platform-part.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';

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

function fateOf(name: string): Persona {
  const persona = personasByProxy[name];
  if (persona === undefined) throw new Error(`There is no persona ${name}.`);
  return persona;
}

const isOffered = () => true;

/** The actions about one onboarding of a persona, with the given answer of the API. */
function deedsOf(name: string) {
  const persona = fateOf(name);
  const request = createRequest(1, persona, new Date(time));
  const planned = { name, persona, request, isByEvent: false };
  const ask = async (...what: readonly unknown[]) => {
    asked.push(what);
    return answer;
  };
  const actions = createPartnerActions({
    platform,
    plan: [planned],
    isAllowedAgain: () => isAllowedAgain,
    partner: {
      operate: (operation, externalId) => ask(operation, externalId),
      update: (externalId, update) => ask('update', externalId, update),
      erase: (externalId) => ask('erase', externalId),
    },
  });
  return { actions, planned, externalId: request.externalId };
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

const wrong = ({ done }: PartnerActions) => done().filter(({ answered, expected }) => answered !== expected).length;

describe('sandbox scenario: createPartnerActions', () => {
  it('performs each action once and in order, when the onboarding is at its step', async () => {
    const { actions, externalId } = deedsOf('canceled, then erased');
    expect(await actions.act([rowOf(externalId, { step: 'AWAITING_CHECKS' })])).toBe(false);
    const waiting = [rowOf(externalId, { step: 'AWAITING_VIDEO_CALL' })];
    expect(await actions.act(waiting)).toBe(true);
    expect(await actions.act(waiting)).toBe(false);
    expect([actions.left(), actions.isErased(externalId)]).toEqual([1, false]);
    answer = { ...answer, status: 204 };
    await actions.act([rowOf(externalId, { step: 'CANCELED' })]);
    expect(asked).toEqual([
      ['cancel', externalId],
      ['erase', externalId],
    ]);
    expect([actions.left(), actions.isErased(externalId), wrong(actions)]).toEqual([0, true, 0]);
    expect(actions.counts()).toEqual({ cancel: 1, erase: 1 });
  });

  it('waits for the event that reports the step', async () => {
    const { actions, externalId } = deedsOf('REJECTED, then erased');
    const detail = { onboardingId: 'o', sequence: 2, step: 'REJECTED', since: time, mode: 'none' } as const;
    const row = rowOf(externalId, { step: 'REJECTED' }, [{ detailType: 'OnboardingEnded', detail }]);
    expect(await actions.act([row])).toBe(false);
  });

  it.each([
    [204, 1, 1],
    [409, 1, 1],
    [409, 2, 0],
    [404, 2, 1],
  ])('treats a retry that is answered with %i after %i tries as %i wrong answers', async (status, tries, count) => {
    const { actions, externalId } = deedsOf('a second video call, when retried');
    answer = { ...answer, status, tries };
    await actions.act([rowOf(externalId, { step: 'FAILED' })]);
    expect(wrong(actions)).toBe(count);
  });

  it.each<[string, 'ACTIVE' | 'CREATED', number]>([
    ['taken where the person may act', 'ACTIVE', 202],
    ['refused where it may not yet (section 5)', 'CREATED', 409],
  ])('expects an update to be %s', async (_, status, expected) => {
    const { actions, planned, externalId } = deedsOf('updated while it is checked');
    const { naturalPersonId } = makeReadyPerson(platform, { externalId }, status);
    await actions.act([rowOf(externalId, { step: 'AWAITING_CHECKS', naturalPersonId })]);
    expect(actions.done()).toMatchObject([{ what: 'update', expected }]);
    expect(asked).toEqual([['update', externalId, updateOf(planned.request)]]);
  });

  it('retries a refused onboarding once the platform no longer refuses', async () => {
    const { actions, externalId } = deedsOf('by video');
    const row = rowOf(externalId, { step: 'STOPPED', reasons: [{ code: 'FORBIDDEN' }] });
    expect(await actions.act([row])).toBe(false);
    isAllowedAgain = true;
    expect(await actions.act([row])).toBe(true);
    expect(asked).toEqual([['retry', externalId]]);
    expect(await actions.act([rowOf(externalId, { step: 'STOPPED', reasons: [{ code: 'EXTERNAL_ID_TAKEN' }] })])).toBe(
      false,
    );
  });

  it('creates the missing proxy of the requestor, then retries', async () => {
    const { requestor } = createRepresentative(platform);
    const { actions, planned, externalId } = deedsOf('by video, without a proxy at first');
    const { naturalPersonId } = makeReadyPerson(platform, { externalId }, 'RECEIVED');
    takeNextStep(platform, planned.persona, platform.persons.get(naturalPersonId), { awaited: undefined, isOffered });
    expect(platform.proxies.isActive(requestor, naturalPersonId)).toBe(false);
    const reasons = [{ code: 'REQUESTOR_ID_INVALID' }];
    expect(await actions.act([rowOf(externalId, { step: 'STOPPED', reasons, naturalPersonId })])).toBe(true);
    expect(platform.proxies.isActive(requestor, naturalPersonId)).toBe(true);
    expect(asked).toEqual([['retry', externalId]]);
  });
});

describe('sandbox scenario: takeNextStep', () => {
  it.each([
    ['check', 'updated while it is checked', 'RECEIVED', 'CREATED'],
    ['activate', 'by video', 'PENDING', 'ACTIVE'],
  ] as const)('takes the step "%s" of a person unless a partner action comes first', (_, name, status, next) => {
    const { actions, planned, externalId } = deedsOf(name);
    const { naturalPersonId } = makeReadyPerson(platform, { externalId }, status);
    const awaited = actions.awaited(planned);
    takeNextStep(platform, planned.persona, platform.persons.get(naturalPersonId), { awaited, isOffered });
    expect(platform.statusOf(naturalPersonId)).toBe(awaited === undefined ? next : status);
    takeNextStep(platform, planned.persona, platform.persons.get(naturalPersonId), { awaited: undefined, isOffered });
    expect(platform.statusOf(naturalPersonId)).toBe(next);
  });

  it('ends each video call with its own outcome, and ends none after the last', async () => {
    const { naturalPersonId } = makeReadyPerson(platform, { birthDay: '1980-01-01' }, 'CREATED');
    const persona = { ...personas['a second video call, when retried'], videoCalls: ['FAILED', 'ABORTED'] };
    const outcomes: string[] = [];
    for (let call = 0; call < 3; call += 1) {
      const { identificationVerificationId: id } = platform.verifications.create({ naturalPersonId, ...supported });
      await platform.clock.advance(2);
      takeNextStep(platform, persona as Persona, platform.persons.get(naturalPersonId), {
        awaited: undefined,
        isOffered,
      });
      outcomes.push(platform.verifications.get(id).status);
    }
    expect(outcomes).toEqual(['FAILED', 'ABORTED', 'PENDING']);
  });

  it('ends no video call whose link was not published, because the onboarding can still ask for it', async () => {
    const { naturalPersonId } = makeReadyPerson(platform, { birthDay: '1980-01-01' }, 'CREATED');
    const { identificationVerificationId: id } = platform.verifications.create({ naturalPersonId, ...supported });
    await platform.clock.advance(2);
    const person = platform.persons.get(naturalPersonId);
    const offered = new Set<string>();
    const isOffered = (one: string) => offered.has(one);
    takeNextStep(platform, fateOf('a video call that is given up'), person, { awaited: undefined, isOffered });
    expect(platform.verifications.get(id).status).toBe('PENDING');
    offered.add(id);
    takeNextStep(platform, fateOf('a video call that is given up'), person, { awaited: undefined, isOffered });
    expect(platform.verifications.get(id).status).toBe('ABORTED_BY_USER');
  });
});
