import { describe, expect, it } from 'vitest';
import { checkRequest } from '#functions/onboarding/onboarding-request.ts';
import { createRandom } from '#sandbox/random.ts';
import { canaries, canaryFinder, externalIdCanary } from '#sandbox/scenario/canary.ts';
import { type Fate, fates, fatesByProxy } from '#sandbox/scenario/onboarding-fates.ts';
import { createOnboardingPlan } from '#sandbox/scenario/onboarding-plan.ts';
import { additionalFields } from '#shared/platform/additional-fields.ts';

const today = new Date('2028-02-29T08:00:00Z');
const planOf = (persons: number, seed = 1, of: Readonly<Record<string, Fate>> = fates) =>
  createOnboardingPlan({ persons, fates: of, random: createRandom(seed), today });

/** Every text of a request, by its name. */
function textsOf(value: unknown, name = ''): readonly (readonly [name: string, text: string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsOf(part, Number.isNaN(Number(key)) ? key : name));
}

/** Fields that take no free text. */
const coded =
  /^(gender|birthDay|.*[cC]ountry(Code)?|taxResidency|nationalIdentifierType|mode|externalVerifier|identificationType|.*Date|identificationDocumentType)$/;

describe('the plan of the scenario onboarding', () => {
  it('has so many persons, each with an externalId of its own', () => {
    const plan = planOf(200);
    expect(new Set(plan.map(({ request }) => request.externalId)).size).toBe(200);
  });

  it.each([
    ['each person itself', fates],
    ['one with proxies', fatesByProxy],
  ])('has every fate, and requests of both kinds, with 32 already, where the requestor is %s', (_, of) => {
    const plan = planOf(32, 1, of);
    expect(new Set(plan.map(({ name }) => name))).toEqual(new Set(Object.keys(of)));
    expect(new Set(plan.map(({ isByEvent }) => isByEvent))).toEqual(new Set([true, false]));
  });

  it('is decided on by its seed', () => {
    expect(planOf(50, 7)).toEqual(planOf(50, 7));
    expect(planOf(50, 7)).not.toEqual(planOf(50, 8));
  });

  it('has requests that can all be taken in', () => {
    const refused = planOf(200).filter(
      ({ request }) => 'problems' in checkRequest(request, today, additionalFields.parse({})),
    );
    expect(refused).toEqual([]);
  });

  it('plants a canary in each field that takes any text', () => {
    const holdsCanary = canaryFinder([...canaries, externalIdCanary]);
    const texts = planOf(40).flatMap(({ request }) => textsOf(request));
    const without = texts.filter(([name, text]) => !coded.test(name) && !holdsCanary(text));
    expect(without).toEqual([]);
    expect(new Set(texts.map(([name]) => name)).size).toBeGreaterThan(30);
  });
});
