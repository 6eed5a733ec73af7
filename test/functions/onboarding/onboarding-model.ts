import type { Facts, Seen } from '#functions/onboarding/facts.ts';
import type { Occurrence } from '#functions/onboarding/occurrence.ts';
import { type Call, decide, evolve, waitsAfter } from '#functions/onboarding/onboarding.ts';
import { identificationModes, newOnboarding, type OnboardingState } from '#shared/onboarding-state.ts';
import { naturalPersonStatuses } from '#shared/platform/natural-person-schema.ts';

const start = '2026-01-02T03:04:05.678Z';
const reason = { code: 'A_REASON' };
const personStatuses = [...naturalPersonStatuses, 'A_NEW_WORD', undefined];

/** Everything that a look at the platform can show. */
export const everythingSeen: readonly Seen[] = [
  { of: 'NOTHING' },
  ...['REQUESTOR_ID_INVALID', 'VALIDATION_ERROR', 'NOT_FOUND', 'FORBIDDEN', 'HTTP_429', 'NO_CONNECTION'].map(
    (why): Seen => ({ of: 'UNREAD', why }),
  ),
  { of: 'SEARCH_ENDED' },
  { of: 'SEARCH_CONTINUES', cursor: 'next' },
  { of: 'PERSON_FOUND', naturalPersonId: 'person', differing: [] },
  { of: 'PERSON_FOUND', naturalPersonId: 'person', differing: ['birthDay'] },
  ...personStatuses.flatMap((status) =>
    [true, false].flatMap((isIdentified) =>
      ['ACTIVE', 'CREATED', undefined].map(
        (requestorStatus): Seen => ({ of: 'PERSON', status, isIdentified, requestorStatus }),
      ),
    ),
  ),
  { of: 'PERSON_MISSING' },
  { of: 'VERIFICATION_FOUND', identificationVerificationId: 'verification' },
  ...['RECEIVED', 'PENDING', 'APPROVED', 'FAILED', 'A_NEW_WORD', undefined].flatMap((status) =>
    ['https://video.example/1', undefined].map(
      (identificationUrl): Seen => ({ of: 'VERIFICATION', status, identificationUrl }),
    ),
  ),
  { of: 'VERIFICATION_MISSING' },
];

/** Every fact. */
export const everyFact: readonly Facts[] = everythingSeen.flatMap((seen) =>
  (['in time', 'late', 'over'] as const).flatMap((time) =>
    [true, false].flatMap((isSettled) =>
      [true, false].map((isGivenUp) => ({
        seen,
        time,
        isSettled,
        isGivenUp,
        isFailure: (status: string) => status === 'FAILED',
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
  readonly facts: Facts;
};

/** Where a state can go, by these facts. */
export function edgesFrom(state: OnboardingState, facts: Facts): readonly Edge[] {
  const command = decide(state, facts);
  if (command.do === 'nothing') return [];
  if (command.do === 'wait') return [{ from: state, to: state, on: [], waits: true, facts }];
  if (command.do === 'note') return [follow(state, [command.occurrence], facts)];
  return everyOutcome[command.call].map((outcome) => follow(state, [command.intent, outcome], facts));
}

function follow(from: OnboardingState, occurrences: readonly Occurrence[], facts: Facts): Edge {
  let [to, waits] = [from, false];
  for (const occurrence of occurrences) {
    waits = waitsAfter(to.step, occurrence.type);
    to = withoutTime(evolve(to, occurrence, start));
  }
  return { from, to, on: occurrences.map(({ type }) => type), waits, facts };
}

/** How often it was looked at and when decides nothing. */
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
  /** Every way between them: for each state, where it can go, and each way there once. */
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
    const found = new Map<string, Edge & { readonly key: string }>();
    for (const facts of everyFact)
      for (const edge of edgesFrom(state, facts)) {
        const key = keyOf(edge.to);
        found.set(`${key} ${edge.waits} ${edge.on}`, { ...edge, key });
      }
    ways.set(from, [...found.values()]);
    open.push(...[...found.values()].map(({ to }) => to));
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
