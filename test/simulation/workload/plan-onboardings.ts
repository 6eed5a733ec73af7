import { type Persona, personas } from '#sandbox/scenario/onboarding/personas.ts';
import { createRequest, type RequestedOnboarding } from '#sandbox/scenario/onboarding/plan.ts';

/** The requestor: the person (accepted from the start, or only when ACTIVE), or a representative with a proxy. */
export type RequestorKind = 'itself' | 'itself, once ACTIVE' | 'a representative';

/** The partner's action after its request. Risky actions are listed more often. */
const partnerActions = [
  'nothing',
  'requests it twice concurrently',
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

export type PartnerAction = (typeof partnerActions)[number] | 'cancels it, and requests it during the erasure';

/** A person who is onboarded, with the persona that decides the outcome. */
export type PlannedPerson = {
  readonly name: string;
  readonly persona: Persona;
  readonly request: RequestedOnboarding;
  /** Whether the request is an event on the bus instead of an API call. */
  readonly isByEvent: boolean;
  readonly partnerAction: PartnerAction;
  /** In milliseconds: the delay between the accepted request and the action. */
  readonly actsAfter: number;
  /** In milliseconds: the maximum time that the platform or the person takes for a step. */
  readonly pace: number;
};

export type OnboardingPlan = {
  readonly requestor: RequestorKind;
  readonly persons: readonly PlannedPerson[];
};

export const noPersons: OnboardingPlan = { requestor: 'itself', persons: [] };

/** The partner requests an onboarding and then acts. `at` is in milliseconds from the start. */
export type OnboardingAction = {
  readonly at: number;
  readonly what: string;
  readonly type: 'onboard';
  readonly person: PlannedPerson;
};

/** The platform reports about a person again. */
export type ReportAction = { readonly type: 'report'; readonly externalId: string };

/** The partner erases a person without an onboarding. */
export type ErasureAction = { readonly type: 'erase'; readonly externalId: string; readonly naturalPersonId: string };

export type OnboardingPlanOptions = {
  /** From 0 to 1: a stream of its own, so that other parts of the history stay the same. */
  readonly random: () => number;
  /** In milliseconds since 1970. */
  readonly startAt: number;
};

/** The share of histories with onboardings, which take longer than others. */
const share = 1 / 4;

const maxPersons = 3;

/** In milliseconds. */
const minute = 60_000;

/** Plans the persons that a history onboards. Most histories have none. */
export function planOnboardings({ random, startAt }: OnboardingPlanOptions): OnboardingPlan {
  const number = random() < share ? 1 + Math.floor(random() * maxPersons) : 0;
  const requestors = ['itself', 'itself, once ACTIVE', 'a representative'] as const;
  const requestor = pick(requestors, random) ?? 'itself';
  return {
    requestor,
    persons: Array.from({ length: number }, (_, index) => planPerson(index, requestor, { random, startAt })),
  };
}

/** In milliseconds: maximum delays. Some actions come during the first calls, and some after the end. */
const delays = [3_000, minute, 15 * minute, 15 * minute];

/** In milliseconds from the start: the latest time of a request. */
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

/** The actions of the partner are planned here, so that personas with actions are left out. */
const passive = Object.entries(personas).filter(([, { actions }]) => actions === undefined);
const totalWeight = passive.reduce((sum, [, { weight }]) => sum + weight, 0);

function pickPersona(random: () => number): readonly [string, Persona] {
  let left = random() * totalWeight;
  const found = passive.find(([, { weight }]) => {
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
 * A person that is only accepted as requestor when ACTIVE is activated without a video call, as in a branch office. The
 * persona's replacement of the video call then happens before any call. The onboarding completes with an ACTIVE person, whatever it
 * waits for.
 */
function personaFor(requestor: RequestorKind, persona: Persona): Persona {
  if (requestor !== 'itself, once ACTIVE' || !needsCall(persona)) return persona;
  const { inPlaceOfCall, ...others } = persona;
  const planned = persona.activation.length > 0 ? persona.activation : ['ACTIVE' as const];
  const activation = inPlaceOfCall?.slice(1) ?? planned;
  const isAdoptable = persona.known?.as !== 'another person';
  if (activation.at(-1) !== 'ACTIVE' || !isAdoptable) return { ...others, activation };
  const { videoCalls, reason, ...completing } = others;
  return { ...completing, activation, ends: 'COMPLETED', status: 'ACTIVE' };
}

/** Whether a call acts in the name of the person before the person is ACTIVE. */
export function needsCall({ mode, ends }: Persona): boolean {
  return mode !== 'none' && !['INVALID', 'REJECTED', 'STOPPED'].includes(ends);
}

function pick<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)];
}
