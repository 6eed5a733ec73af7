import { describe, expect, it } from 'vitest';
import { decide } from '#functions/onboarding/state-machine/decisions.ts';
import { evolve } from '#functions/onboarding/state-machine/evolve.ts';
import { canHappen, onboardingTransitions } from '#functions/onboarding/state-machine/transitions.ts';
import { identificationModes, newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { onboardingSteps, onboardingStepWords, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import {
  commandsAt,
  type Edge,
  edgesFrom,
  everyFact,
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

/** Explored once, and not at import: a run that has failed already imports the file all the same, and exploring takes seconds. */
function model(): ReturnType<typeof explore> {
  explored ??= explore();
  return explored;
}

const reached = (): readonly OnboardingState[] => [...model().states.values()];

describe('every state and every fact has a decision', () => {
  it.each(onboardingSteps.map(({ step }) => step))('at %s, and what is decided can happen there', (step) => {
    for (const state of everyState.filter((one) => one.step === step))
      for (const command of commandsAt(state)) {
        if (command.do === 'note') expect(canHappen(step, command.occurrence.type), command.occurrence.type).toBe(true);
        if (command.do !== 'call') continue;
        const intended = evolve(state, command.intent, now);
        for (const outcome of everyOutcome[command.call])
          expect(canHappen(intended.step, outcome.type), outcome.type).toBe(true);
      }
  });

  it('and a schema takes every step, and no other word', () => {
    expect(onboardingStepWords).toEqual(onboardingSteps.map(({ step }) => step));
  });

  it('and every step is come to', () => {
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

/** The longest way from a state without waiting, in transitions; throws where it goes round. */
function longestFrom(key: string, path: readonly string[], known: Map<string, number>): number {
  if (path.includes(key)) throw new Error(`It goes round without waiting: ${[...path, key].join(' → ')}`);
  const before = known.get(key);
  if (before !== undefined) return before;
  const next = (model().ways.get(key) ?? []).filter(({ waits }) => !waits);
  const longest = Math.max(0, ...next.map((one) => 1 + longestFrom(one.key, [...path, key], known)));
  known.set(key, longest);
  return longest;
}

describe('no onboarding loops without waiting', () => {
  it('holds for every answer of the platform in every state that an onboarding reaches', () => {
    expect(reached().length).toBeGreaterThan(100);
    const known = new Map<string, number>();
    const longest = [...model().states.keys()].map((key) => longestFrom(key, [], known));
    expect(Math.max(...longest)).toBeLessThanOrEqual(8);
  });
});

describe('every path of an onboarding ends', () => {
  const isFinal = (state: OnboardingState) => stepRow(state.step).final;

  it('from every state there is a way to an end', () => {
    const ending = new Set([...model().states].filter(([, state]) => isFinal(state)).map(([key]) => key));
    const leadsToAnEnd = ([, out]: readonly [string, readonly Way[]]) => out.some(({ key }) => ending.has(key));
    for (let size = 0; size !== ending.size; ) {
      size = ending.size;
      for (const [key] of [...model().ways].filter(leadsToAnEnd)) ending.add(key);
    }
    expect([...model().states.keys()].filter((key) => !ending.has(key))).toEqual([]);
  });

  it('once its time is over none waits, and none makes a call', () => {
    const over = everyFact.filter(({ time }) => time === 'over');
    const open = reached().filter((state) => !isFinal(state));
    const waiting = open.flatMap((state) => edgesFrom(state, over)).filter((one) => one.waits);
    expect(waiting).toEqual([]);
    const calls = open.flatMap((state) => commandsAt(state, over)).filter((one) => one.do === 'call');
    expect(calls).toEqual([]);
  });

  it('changes nothing after an end, with any observation', () => {
    const commands = reached()
      .filter(isFinal)
      .flatMap((state) => commandsAt(state).map((command) => command.do));
    expect(new Set(commands)).toEqual(new Set(['nothing']));
  });

  it('what can be done at an end is up to an operator alone', () => {
    const after = onboardingTransitions.filter(({ from }) => stepRow(from).final).map(({ on }) => on);
    expect(new Set(after)).toEqual(new Set(['Retried', 'Restarted']));
  });
});

describe('OnboardingStalled when a deadline passes', () => {
  const late = everyFact.filter(({ time }) => time === 'late');

  it('stalls where it would wait, or stops where waiting cannot succeed', () => {
    const open = reached().filter(({ step }) => !stepRow(step).final && step !== 'STOPPED');
    const waiting = open.filter((state) => commandsAt(state, late).some((command) => command.do === 'wait'));
    expect(waiting).toEqual([]);
  });

  it('stops FINDING_PERSON when no person of the externalId is listed', () => {
    const state: OnboardingState = { ...newOnboarding('none', now), step: 'FINDING_PERSON' };
    expect(
      decide(state, {
        observation: { of: 'SEARCH_ENDED' },
        time: 'late',
        isSettled: true,
        isGivenUp: false,
        isFailure: () => false,
      }),
    ).toEqual({ do: 'note', occurrence: { type: 'Stopped', reason: { code: 'CONFLICT_UNEXPLAINED' } } });
  });
});

describe('design, promise 6: one running verification per onboarding', () => {
  const later = '2026-01-02T03:05:05.678Z';

  it('lets a verification settle that was asked for before a cancellation and a restart', () => {
    const canceled = (['Canceled', 'Restarted', 'CreationIntended'] as const).reduce(
      (state, type) => evolve(state, { type }, later),
      evolve({ ...newOnboarding('video', now), step: 'AWAITING_CHECKS' }, { type: 'VerificationIntended' }, now),
    );
    const found = evolve(
      evolve(canceled, { type: 'ConflictMet' }, later),
      { type: 'PersonAdopted', naturalPersonId: 'p' },
      later,
    );
    expect(found.intentOn).toBe(later);
    const sought = evolve(found, { type: 'VerificationSought' }, later);
    const ended = {
      observation: { of: 'SEARCH_ENDED' },
      time: 'in time',
      isGivenUp: false,
      isFailure: () => false,
    } as const;
    expect(decide(sought, { ...ended, isSettled: false })).toEqual({ do: 'wait' });
    expect(decide(sought, { ...ended, isSettled: true })).toMatchObject({ do: 'call' });
  });

  it('one that is new waits for nothing, once its person is found', () => {
    const created = evolve(newOnboarding('video', now), { type: 'CreationIntended' }, now);
    expect(evolve(created, { type: 'PersonAdopted', naturalPersonId: 'p' }, later).intentOn).toBeUndefined();
  });
});

describe('an event that cannot happen at a step', () => {
  it('throws for a fault of the program', () => {
    expect(() => evolve(newOnboarding('none', now), { type: 'PersonActivated' }, now)).toThrow(
      'PersonActivated cannot happen at REQUESTED.',
    );
  });
});
