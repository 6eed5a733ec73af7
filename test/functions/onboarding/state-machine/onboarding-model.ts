import {
  type Action,
  type Call,
  type Conditions,
  decide,
  type ReadResult,
  readFailureOf,
} from '#functions/onboarding/state-machine/decide.ts';
import { evolve } from '#functions/onboarding/state-machine/evolve.ts';
import { type Input, waitsAfter } from '#functions/onboarding/state-machine/transitions.ts';
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

/** Everything that a read of the platform can show. */
export const everyRead: readonly ReadResult[] = [
  { of: 'NOTHING' },
  ...['REQUESTOR_ID_INVALID', 'VALIDATION_ERROR', 'NOT_FOUND', 'FORBIDDEN', 'HTTP_429', 'NO_CONNECTION'].map(
    (why): ReadResult => ({ of: 'UNREAD', why }),
  ),
  { of: 'SEARCH_ENDED' },
  { of: 'SEARCH_CONTINUES', cursor: 'next' },
  { of: 'PERSON_FOUND', naturalPersonId: 'person', differing: [] },
  { of: 'PERSON_FOUND', naturalPersonId: 'person', differing: ['birthDay'] },
  ...personStatuses.flatMap((status) =>
    [true, false].flatMap((isIdentified) =>
      ['ACTIVE', undefined].map(
        (requestorStatus): ReadResult => ({ of: 'PERSON', status, isIdentified, requestorStatus }),
      ),
    ),
  ),
  { of: 'PERSON_MISSING' },
  { of: 'VERIFICATION_FOUND', identificationVerificationId: 'verification' },
  ...['RECEIVED', 'APPROVED', 'FAILED', 'A_NEW_WORD', undefined].flatMap((status) =>
    ['https://video.example/1', undefined].flatMap((identificationUrl) =>
      [true, false].map(
        (isPersonActive): ReadResult => ({ of: 'VERIFICATION', status, identificationUrl, isPersonActive }),
      ),
    ),
  ),
  { of: 'VERIFICATION_MISSING' },
];

/** All conditions. Only a failure is given up: `decide.test.ts` has the reads with which nothing is given up. */
export const allConditions: readonly Conditions[] = everyRead.flatMap((read) =>
  (['in time', 'late', 'over'] as const).flatMap((time) =>
    [true, false].flatMap((isSettled) =>
      (readFailureOf(read) === undefined ? [false] : [true, false]).map((isGivenUp) => ({
        read,
        time,
        isSettled,
        isGivenUp,
        meaningOf: (status: string) => meanings[status] ?? 'unknown',
      })),
    ),
  ),
);

const identification: readonly Input[] = [
  { type: 'OutcomeUnknown' },
  { type: 'CallNotTaken' },
  { type: 'RequestorNotActive', reason },
  { type: 'CallRefused', reason },
  { type: 'Stopped', reason },
];

/** All that can come of each call. */
export const everyOutcome: Readonly<Record<Call, readonly Input[]>> = {
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
export const everyOperation: readonly Input[] = [
  { type: 'Canceled' },
  { type: 'Resumed' },
  { type: 'Retried' },
  { type: 'Restarted' },
];

/** A way from a state to another. */
export type Edge = {
  readonly from: OnboardingState;
  readonly to: OnboardingState;
  readonly on: readonly Input['type'][];
  readonly waits: boolean;
};

/** What is decided in a state by any of these conditions. Each action stands once, since thousands of conditions lead to few actions. */
export function actionsAt(
  state: OnboardingState,
  conditions: readonly Conditions[] = allConditions,
): readonly Action[] {
  const actions = conditions.map((one) => decide(state, one));
  return [...new Map(actions.map((action) => [JSON.stringify(action), action])).values()];
}

/** Where a state can go, by any of these conditions. */
export function edgesFrom(state: OnboardingState, conditions: readonly Conditions[] = allConditions): readonly Edge[] {
  return actionsAt(state, conditions).flatMap((action) => {
    if (action.do === 'nothing') return [];
    if (action.do === 'wait') return [{ from: state, to: state, on: [], waits: true }];
    if (action.do === 'apply') return [follow(state, [action.input])];
    return everyOutcome[action.call].map((outcome) => follow(state, [action.firstInput, outcome]));
  });
}

function follow(from: OnboardingState, inputs: readonly Input[]): Edge {
  let [to, waits] = [from, false];
  for (const input of inputs) {
    waits = waitsAfter(to.step, input.type);
    to = withoutRecords(evolve(to, input, start));
  }
  return { from, to, on: inputs.map(({ type }) => type), waits };
}

/** Nothing is decided by how often an onboarding was read, by when it is due next, or by what it only shows. */
function withoutRecords({
  identificationUrl,
  formerPersonIds,
  formerVerificationIds,
  ...state
}: OnboardingState): OnboardingState {
  return { ...state, looks: 0, dueOn: start, reasons: [] };
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

function operated(state: OnboardingState, operation: Input): OnboardingState | undefined {
  try {
    return withoutRecords(evolve(state, operation, start));
  } catch {
    return undefined;
  }
}
