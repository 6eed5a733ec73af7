import { beforeEach, describe, expect, it } from 'vitest';
import { createPlatform, type Platform } from '#sandbox/platform/app/platform.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import type { Answer } from '#sandbox/scenario/onboarding/partner.ts';
import { createPartnerActions, type PartnerActions } from '#sandbox/scenario/onboarding/partner-actions.ts';
import { type Persona, personasByProxy } from '#sandbox/scenario/onboarding/personas.ts';
import { createRequest, updateOf } from '#sandbox/scenario/onboarding/plan.ts';
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
});
