import { type Persona, personas } from '#sandbox/scenario/onboarding/personas.ts';
import { createRequest, type RequestedOnboarding } from '#sandbox/scenario/onboarding/plan.ts';

/** Who is the requestor: the person itself, taken before it is ACTIVE or not, or somebody with a proxy. */
export type RequestorKind = 'itself' | 'itself, once ACTIVE' | 'a representative';

/** What the partner does about an onboarding that it has requested, besides; what is riskier more often. */
const partnerActions = [
  'nothing',
  'requests it twice at once',
  'requests it again',
  'requests it with other data',
  'cancels it',
  'cancels it, and requests it with other data',
  'cancels it, and requests it with other data',
  'retries it',
  'updates the person',
  'erases the person',
  'erases the person',
  'erases the person',
  'erases the person, and requests it again',
] as const;

export type PartnerAction = (typeof partnerActions)[number] | 'cancels it, and requests it amid the erasure';

/** Somebody who is to be onboarded, and what becomes of them. */
export type PlannedPerson = {
  readonly name: string;
  readonly persona: Persona;
  readonly request: RequestedOnboarding;
  /** Whether it is requested by an event on the bus, in place of the API. */
  readonly isByEvent: boolean;
  readonly partnerAction: PartnerAction;
  /** In milliseconds: how long after the request was taken in. */
  readonly actsAfter: number;
  /** In milliseconds: how long the platform, or the person, takes for each step of theirs, at the most. */
  readonly pace: number;
};

export type OnboardingPlan = {
  readonly requestor: RequestorKind;
  readonly persons: readonly PlannedPerson[];
};

export const noPersons: OnboardingPlan = { requestor: 'itself', persons: [] };

/** A partner requests an onboarding, and does what it does about it. At: in milliseconds from the beginning. */
export type OnboardingAction = {
  readonly at: number;
  readonly what: string;
  readonly type: 'onboard';
  readonly person: PlannedPerson;
};

/** The platform reports about a person once more. */
export type ReportAction = { readonly type: 'report'; readonly externalId: string };

/** The partner erases a person of whom no onboarding knows. */
export type ErasureAction = { readonly type: 'erase'; readonly externalId: string; readonly naturalPersonId: string };

export type OnboardingPlanOptions = {
  /** From 0 to 1; of its own, so that histories without onboardings are what they would be anyhow. */
  readonly random: () => number;
  /** In milliseconds since 1970. */
  readonly startAt: number;
};

/** Of all histories: those that have onboardings take longer. */
const share = 1 / 4;

const maxPersons = 3;

/** In milliseconds. */
const minute = 60_000;

/** Who is onboarded in a history: nobody, in most. */
export function planOnboardings({ random, startAt }: OnboardingPlanOptions): OnboardingPlan {
  const number = random() < share ? 1 + Math.floor(random() * maxPersons) : 0;
  const requestors = ['itself', 'itself, once ACTIVE', 'a representative'] as const;
  const requestor = pick(requestors, random) ?? 'itself';
  return {
    requestor,
    persons: Array.from({ length: number }, (_, index) => planPerson(index, requestor, { random, startAt })),
  };
}

/** At the most: some act while the first answers are under way, some when it has long ended. */
const delays = [3_000, minute, 15 * minute, 15 * minute];

/** In milliseconds from the beginning: when the last of them may be requested. */
const latestRequest = 12 * minute;

export function planOnboardingActions(
  { persons }: OnboardingPlan,
  { random }: Pick<OnboardingPlanOptions, 'random'>,
): readonly OnboardingAction[] {
  return persons.map((person) => ({
    at: 5_000 + random() * latestRequest,
    what: `the partner requests the onboarding of ${person.name}, then: ${person.partnerAction}`,
    type: 'onboard',
    person,
  }));
}

function planPerson(
  index: number,
  requestor: RequestorKind,
  { random, startAt }: OnboardingPlanOptions,
): PlannedPerson {
  const [word, persona] = pickPersona(random);
  const isPlain = random() < 0.3;
  const partnerAction = isPlain ? 'nothing' : (pick(partnerActions, random) ?? 'nothing');
  const isHasty = partnerAction.startsWith('erases') && random() < 0.5;
  return {
    name: `person ${index} (${word})`,
    persona: personaFor(requestor, persona),
    request: createRequest(index, persona, new Date(startAt)),
    isByEvent: random() < 0.25,
    partnerAction,
    actsAfter: random() * (isHasty ? 2_000 : (pick(delays, random) ?? 0)),
    pace: random() < 0.3 ? 15_000 : random() * 2 * minute,
  };
}

function pickPersona(random: () => number): readonly [string, Persona] {
  // What the partner does besides is planned here.
  const all = Object.entries(personas).filter(([, { actions }]) => actions === undefined);
  let left = random() * all.reduce((sum, [, { weight }]) => sum + weight, 0);
  const found = all.find(([, { weight }]) => {
    left -= weight;
    return left < 0;
  });
  return found ?? ['by video', byVideo];
}

const byVideo: Persona = {
  weight: 1,
  mode: 'video',
  checks: ['CREATED'],
  activation: ['ACTIVE'],
  ends: 'COMPLETED',
  status: 'ACTIVE',
};

/**
 * A person that may act for itself only once it is ACTIVE becomes so otherwise, as in a branch: what was to happen in place of
 * the video call then happens before there is one.
 */
function personaFor(requestor: RequestorKind, persona: Persona): Persona {
  if (requestor !== 'itself, once ACTIVE' || !needsCall(persona)) return persona;
  const { inPlaceOfCall, ...others } = persona;
  const activation = persona.activation.length > 0 ? persona.activation : ['ACTIVE' as const];
  return { ...others, activation: inPlaceOfCall?.slice(1) ?? activation };
}

/** Whether something is done in the name of the person before it is ACTIVE. */
export function needsCall({ mode, ends }: Persona): boolean {
  return mode !== 'none' && !['INVALID', 'REJECTED', 'STOPPED'].includes(ends);
}

function pick<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)];
}
