import { shuffled } from '#sandbox/random.ts';
import type { Fate } from './onboarding-fates.ts';
import { createRequest, type RequestedOnboarding } from './onboarding-request.ts';

/** Somebody who is to be onboarded, and what becomes of them. */
export type PlannedOnboarding = {
  readonly name: string;
  readonly fate: Fate;
  readonly request: RequestedOnboarding;
  /** Whether it is requested by an event on the bus, in place of the API. */
  readonly isByEvent: boolean;
};

export type OnboardingPlanProps = {
  readonly persons: number;
  /** By their names. */
  readonly fates: Readonly<Record<string, Fate>>;
  readonly random: () => number;
  readonly today: Date;
};

/** Of so many one is requested on the bus. */
const byEventEvery = 4;

/** Persons of every fate, as far as there are enough; in no order. */
export function createOnboardingPlan({
  persons,
  fates,
  random,
  today,
}: OnboardingPlanProps): readonly PlannedOnboarding[] {
  const all = Object.entries(fates);
  const byWeight = shuffled(
    all.flatMap(([name, fate]) => Array.from({ length: fate.weight - 1 }, () => [name, fate] as const)),
    random,
  );
  const chosen = Array.from({ length: persons }, (_, index) => all[index] ?? byWeight[index % byWeight.length]);
  const planned = chosen.flatMap((one, index) => {
    if (one === undefined) return [];
    const [name, fate] = one;
    return [{ name, fate, request: createRequest(index, fate, today), isByEvent: index % byEventEvery === 1 }];
  });
  return shuffled(planned, random);
}
