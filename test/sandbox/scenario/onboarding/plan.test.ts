import { describe, expect, it } from 'vitest';
import { createRandom } from '#sandbox/platform/core/random.ts';
import { canaries, canaryFinder, externalIdCanary } from '#sandbox/scenario/common/canary.ts';
import { type Persona, personas, personasByProxy } from '#sandbox/scenario/onboarding/personas.ts';
import { createOnboardingPlan } from '#sandbox/scenario/onboarding/plan.ts';

const today = new Date('2028-02-29T08:00:00Z');
const planOf = (persons: number, seed = 1, of: Readonly<Record<string, Persona>> = personas) =>
  createOnboardingPlan({ persons, personas: of, random: createRandom(seed), today });

/** Every text of a request, by its name. */
function textsOf(value: unknown, name = ''): readonly (readonly [name: string, text: string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsOf(part, Number.isNaN(Number(key)) ? key : name));
}

/** Fields that take no free text. */
const coded =
  /^(gender|birthDay|.*[cC]ountry(Code)?|taxResidency|nationalIdentifierType|mode|externalVerifier|identificationType|.*Date|identificationDocumentType)$/;

describe('sandbox scenario: createOnboardingPlan', () => {
  it.each([
    ['each person itself', personas],
    ['one with proxies', personasByProxy],
  ])(
    'plans every persona, and requests on the bus and through the API, with 32 persons and a requestor that is %s',
    (_, of) => {
      const plan = planOf(32, 1, of);
      expect(new Set(plan.map(({ name }) => name))).toEqual(new Set(Object.keys(of)));
      expect(new Set(plan.map(({ isByEvent }) => isByEvent))).toEqual(new Set([true, false]));
    },
  );

  it('puts a canary into each field with free text', () => {
    const holdsCanary = canaryFinder([...canaries, externalIdCanary]);
    const texts = planOf(40).flatMap(({ request }) => textsOf(request));
    const without = texts.filter(([name, text]) => !coded.test(name) && !holdsCanary(text));
    expect(without).toEqual([]);
    expect(new Set(texts.map(([name]) => name)).size).toBeGreaterThan(30);
  });
});
