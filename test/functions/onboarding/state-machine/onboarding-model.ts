import { type Call, type Command, decide } from '#functions/onboarding/state-machine/decisions.ts';
import { evolve } from '#functions/onboarding/state-machine/evolve.ts';
import type { Facts, Observation, Occurrence } from '#functions/onboarding/state-machine/observation.ts';
import { waitsAfter } from '#functions/onboarding/state-machine/transitions.ts';
import { identificationModes, newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import type { VerificationMeaning } from '#shared/platform/profile/profile.ts';
import { naturalPersonStatusWords } from '#shared/platform/resources/natural-person.ts';

const start = '2026-01-02T03:04:05.678Z';
const reason = { code: 'A_REASON' };
const meanings: Readonly<Record<string, VerificationMeaning>> = {
  RECEIVED: 'waiting',
  APPROVED: 'success',
  FAILED: 'failure',
};
const personStatuses = [...naturalPersonStatusWords, 'A_NEW_WORD', undefined];

/** Everything that an observation of the platform can show. */
export const everythingSeen: readonly Observation[] = [
  { of: 'NOTHING' },
  ...['REQUESTOR_ID_INVALID', 'VALIDATION_ERROR', 'NOT_FOUND', 'FORBIDDEN', 'HTTP_429', 'NO_CONNECTION'].map(
    (why): Observation => ({ of: 'UNREAD', why }),
  ),
  { of: 'SEARCH_ENDED' },
  { of: 'SEARCH_CONTINUES', cursor: 'next' },
  { of: 'PERSON_FOUND', naturalPersonId: 'person', differing: [] },
  { of: 'PERSON_FOUND', naturalPersonId: 'person', differing: ['birthDay'] },
  ...personStatuses.flatMap((status) =>
    [true, false].flatMap((isIdentified) =>
      ['ACTIVE', undefined].map(
        (requestorStatus): Observation => ({ of: 'PERSON', status, isIdentified, requestorStatus }),
      ),
    ),
  ),
  { of: 'PERSON_MISSING' },
  { of: 'VERIFICATION_FOUND', identificationVerificationId: 'verification' },
  ...['RECEIVED', 'APPROVED', 'FAILED', 'A_NEW_WORD', undefined].flatMap((status) =>
    ['https://video.example/1', undefined].flatMap((identificationUrl) =>
      [true, false].map(
        (isPersonActive): Observation => ({ of: 'VERIFICATION', status, identificationUrl, isPersonActive }),
      ),
    ),
  ),
  { of: 'VERIFICATION_MISSING' },
];

/** Every fact. Only a failure is given up: `decide.test.ts` has the observations with which nothing is given up. */
export const everyFact: readonly Facts[] = everythingSeen.flatMap((observation) =>
  (['in time', 'late', 'over'] as const).flatMap((time) =>
    [true, false].flatMap((isSettled) =>
      (observation.of === 'UNREAD' ? [true, false] : [false]).map((isGivenUp) => ({
        observation,
        time,
        isSettled,
        isGivenUp,
        meaningOf: (status: string) => meanings[status] ?? 'unknown',
      })),
    ),
  ),
);

const identification: readonly Occurrence[] = [
  { type: 'OutcomeUnknown' },
  { type: 'CallNotTaken' },
  { type: 'RequestorNotActive', reason },
  { type: 'CallRefused', reason },
  { type: 'Stopped', reason },
];

/** All that can come of each call. */
export const everyOutcome: Readonly<Record<Call, readonly Occurrence[]>> = {
  'create the person': [
    { type: 'PersonCreated', naturalPersonId: 'person' },
    { type: 'ConflictMet' },
    { type: 'OutcomeUnknown' },
    { type: 'CallNotTaken' },
    { type: 'CallRefused', reason },
    { type: 'Stopped', reason },
  ],
  'create the verification': [
    { type: 'VerificationCreated', identificationVerificationId: 'verification' },
    ...identification,
  ],
  'send the identification': [{ type: 'IdentificationAccepted' }, ...identification],
};

/** What an operator does, by its transition's name. */
export const everyOperation: readonly Occurrence[] = [
  { type: 'Canceled' },
  { type: 'Resumed' },
  { type: 'Retried' },
  { type: 'Restarted' },
];

/** A way from a state to another. */
export type Edge = {
  readonly from: OnboardingState;
  readonly to: OnboardingState;
  readonly on: readonly Occurrence['type'][];
  readonly waits: boolean;
};

/** What is decided in a state by any of these facts. Each command stands once, since thousands of facts lead to few commands. */
export function commandsAt(state: OnboardingState, facts: readonly Facts[] = everyFact): readonly Command[] {
  const commands = facts.map((one) => decide(state, one));
  return [...new Map(commands.map((command) => [JSON.stringify(command), command])).values()];
}

/** Where a state can go, by any of these facts. */
export function edgesFrom(state: OnboardingState, facts: readonly Facts[] = everyFact): readonly Edge[] {
  return commandsAt(state, facts).flatMap((command) => {
    if (command.do === 'nothing') return [];
    if (command.do === 'wait') return [{ from: state, to: state, on: [], waits: true }];
    if (command.do === 'note') return [follow(state, [command.occurrence])];
    return everyOutcome[command.call].map((outcome) => follow(state, [command.intent, outcome]));
  });
}

function follow(from: OnboardingState, occurrences: readonly Occurrence[]): Edge {
  let [to, waits] = [from, false];
  for (const occurrence of occurrences) {
    waits = waitsAfter(to.step, occurrence.type);
    to = withoutTime(evolve(to, occurrence, start));
  }
  return { from, to, on: occurrences.map(({ type }) => type), waits };
}

/** The number and the time of its observations decide nothing. */
function withoutTime(state: OnboardingState): OnboardingState {
  return { ...state, looks: 0 };
}

/** Keys of an object come in any order. */
export function keyOf(state: OnboardingState): string {
  return JSON.stringify(
    Object.entries(state)
      .filter(([, value]) => value !== undefined)
      .toSorted(),
  );
}

export type Model = {
  /** Every state that an onboarding can come to, by its key. */
  readonly states: ReadonlyMap<string, OnboardingState>;
  /** Every way between them: for each state, where it can go. */
  readonly ways: ReadonlyMap<string, readonly (Edge & { readonly key: string })[]>;
};

export function explore(): Model {
  const states = new Map<string, OnboardingState>();
  const ways = new Map<string, readonly (Edge & { readonly key: string })[]>();
  const open = identificationModes.map((mode) => newOnboarding(mode, start));
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const from = keyOf(state);
    if (states.has(from)) continue;
    states.set(from, state);
    const found = edgesFrom(state).map((edge) => ({ ...edge, key: keyOf(edge.to) }));
    ways.set(from, found);
    open.push(...found.map(({ to }) => to));
    for (const operation of everyOperation) {
      const next = operated(state, operation);
      if (next !== undefined) open.push(next);
    }
  }
  return { states, ways };
}

function operated(state: OnboardingState, operation: Occurrence): OnboardingState | undefined {
  try {
    return withoutTime(evolve(state, operation, start));
  } catch {
    return undefined;
  }
}
