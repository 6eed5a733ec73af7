import { describe, expect, it } from 'vitest';
import { evolve } from '#functions/onboarding/state-machine/evolve.ts';
import { accepts, onboardingTransitions } from '#functions/onboarding/state-machine/transitions.ts';
import { canRetry } from '#shared/onboarding/onboarding-advice.ts';
import { identificationModes, newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { onboardingSteps, onboardingStepWords, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import {
  actionsAt,
  allConditions,
  type Edge,
  edgesFrom,
  everyOperation,
  everyOutcome,
  explore,
} from './onboarding-model.ts';

const now = '2026-01-02T03:04:05.678Z';
const flags = [true, false];

/** States of every step, mode and flag, also those that no onboarding comes to. */
const everyState: readonly OnboardingState[] = onboardingSteps.flatMap(({ step }) =>
  identificationModes.flatMap((mode) =>
    flags.flatMap((mustSeek) =>
      flags.flatMap((isIdentified) =>
        flags.map((requestorWasActive) => ({
          ...newOnboarding(mode, now),
          step,
          mustSeek,
          isIdentified,
          requestorWasActive,
        })),
      ),
    ),
  ),
);

let explored: ReturnType<typeof explore> | undefined;

/** Explored once, and not at import: a run that has failed already still imports the file, and exploring takes seconds. */
function model(): ReturnType<typeof explore> {
  explored ??= explore();
  return explored;
}

const reached = (): readonly OnboardingState[] => [...model().states.values()];

describe('the state machine of an onboarding', () => {
  it.each(onboardingSteps.filter(({ final }) => !final).map(({ step }) => step))(
    'decides for every state and every fact at %s, and only what can happen there',
    (step) => {
      expect.hasAssertions();
      for (const state of everyState.filter((one) => one.step === step))
        for (const action of actionsAt(state)) {
          if (action.do === 'apply') expect(accepts(step, action.input.type), action.input.type).toBe(true);
          if (action.do !== 'call') continue;
          const started = evolve(state, action.firstInput, now);
          for (const outcome of everyOutcome[action.call])
            expect(accepts(started.step, outcome.type), outcome.type).toBe(true);
        }
    },
  );

  it('has a schema that takes every step, and no other word', () => {
    expect(onboardingStepWords).toEqual(onboardingSteps.map(({ step }) => step));
  });

  it('comes to every step', () => {
    expect(new Set(reached().map(({ step }) => step))).toEqual(new Set(onboardingSteps.map(({ step }) => step)));
  });

  it('has no transition in the table that never happens', () => {
    const used = new Set([...model().ways.values()].flat().flatMap(waysOf));
    const operations = everyOperation.map(({ type }) => type);
    const unused = onboardingTransitions.filter(
      ({ from, on }) => !used.has(`${from} ${on}`) && !operations.some((type) => type === on),
    );
    expect(unused).toEqual([]);
  });
});

type Way = Edge & { readonly key: string };

/** Each transition of a way, as `from on`. */
function waysOf({ from, on }: Edge): readonly string[] {
  const [first, second] = on;
  if (first === undefined) return [];
  if (second === undefined) return [`${from.step} ${first}`];
  const between = onboardingTransitions.find((one) => one.from === from.step && one.on === first)?.to ?? '';
  return [`${from.step} ${first}`, `${between} ${second}`];
}

/** The longest way from a state without waiting, in transitions; throws if it goes round. */
function longestFrom(key: string, path: readonly string[], known: Map<string, number>): number {
  if (path.includes(key)) throw new Error(`It goes round without waiting: ${[...path, key].join(' → ')}`);
  const before = known.get(key);
  if (before !== undefined) return before;
  const next = (model().ways.get(key) ?? []).filter(({ waits }) => !waits);
  const longest = Math.max(0, ...next.map((one) => 1 + longestFrom(one.key, [...path, key], known)));
  known.set(key, longest);
  return longest;
}

describe('every path of an onboarding', () => {
  it('comes to a wait or to an end, with every answer of the platform', () => {
    expect(reached().length).toBeGreaterThan(100);
    const known = new Map<string, number>();
    const longest = [...model().states.keys()].map((key) => longestFrom(key, [], known));
    expect(Math.max(...longest)).toBeLessThanOrEqual(8);
  });
});

describe('the end of an onboarding', () => {
  const isFinal = (state: OnboardingState) => stepRow(state.step).final;

  it('leads from every state to an end', () => {
    const ending = new Set([...model().states].filter(([, state]) => isFinal(state)).map(([key]) => key));
    const leadsToAnEnd = ([, out]: readonly [string, readonly Way[]]) => out.some(({ key }) => ending.has(key));
    for (let size = 0; size !== ending.size; ) {
      size = ending.size;
      for (const [key] of [...model().ways].filter(leadsToAnEnd)) ending.add(key);
    }
    expect([...model().states.keys()].filter((key) => !ending.has(key))).toEqual([]);
  });

  it('neither waits nor makes a call once its time is over', () => {
    const over = allConditions.filter(({ time }) => time === 'over');
    const open = reached().filter((state) => !isFinal(state));
    const waiting = open.flatMap((state) => edgesFrom(state, over)).filter((one) => one.waits);
    expect(waiting).toEqual([]);
    const calls = open.flatMap((state) => actionsAt(state, over)).filter((one) => one.do === 'call');
    expect(calls).toEqual([]);
  });

  it('does nothing after an end, whatever a read of the platform gives', () => {
    const actions = reached()
      .filter(isFinal)
      .flatMap((state) => actionsAt(state).map((action) => action.do));
    expect(new Set(actions)).toEqual(new Set(['nothing']));
  });

  it('continues after a retry at exactly the steps where the console and the command line offer one', () => {
    const retried = onboardingStepWords.filter((step) => accepts(step, 'Retried') || accepts(step, 'Resumed'));
    expect(onboardingStepWords.filter(canRetry)).toEqual(retried);
  });

  it('continues after an end only when an operator or a new request says so', () => {
    const after = onboardingTransitions.filter(({ from }) => stepRow(from).final).map(({ on }) => on);
    expect(new Set(after)).toEqual(new Set(['Retried', 'Restarted']));
  });
});

describe('an onboarding whose deadline passes', () => {
  const late = allConditions.filter(({ time }) => time === 'late');

  it('never waits: it stalls, stops or acts', () => {
    const open = reached().filter(({ step }) => !stepRow(step).final && step !== 'STOPPED');
    const waiting = open.filter((state) => actionsAt(state, late).some((action) => action.do === 'wait'));
    expect(waiting).toEqual([]);
  });
});
