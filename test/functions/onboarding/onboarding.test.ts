import { describe, expect, it } from 'vitest';
import { can, decide, evolve } from '#functions/onboarding/onboarding.ts';
import { identificationModes, newOnboarding, type OnboardingState } from '#shared/onboarding-state.ts';
import { onboardingSteps, onboardingTransitions, stepRow } from '#shared/onboarding-steps.ts';
import { type Edge, edgesFrom, everyFact, everyOperation, everyOutcome, explore } from './onboarding-model.ts';

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

const { states, ways } = explore();
const reached = [...states.values()];
const edges = [...ways.values()].flat();

describe('issue 6: every state and every fact has a decision', () => {
  it.each(onboardingSteps.map(({ step }) => step))('at %s, and what is decided can happen there', (step) => {
    for (const state of everyState.filter((one) => one.step === step))
      for (const facts of everyFact) {
        const command = decide(state, facts);
        if (command.do === 'note') expect(can(step, command.occurrence.type), command.occurrence.type).toBe(true);
        if (command.do !== 'call') continue;
        const intended = evolve(state, command.intent, now);
        for (const outcome of everyOutcome[command.call])
          expect(can(intended.step, outcome.type), outcome.type).toBe(true);
      }
  });

  it('and every step is come to', () => {
    expect(new Set(reached.map(({ step }) => step))).toEqual(new Set(onboardingSteps.map(({ step }) => step)));
  });

  it('and no transition is in the table in vain', () => {
    const used = new Set(edges.flatMap(waysOf));
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
  const next = (ways.get(key) ?? []).filter(({ waits }) => !waits);
  const longest = Math.max(0, ...next.map((one) => 1 + longestFrom(one.key, [...path, key], known)));
  known.set(key, longest);
  return longest;
}

describe('issue 6: none can loop without waiting', () => {
  it('whatever the platform shows and answers, in every state that an onboarding comes to', () => {
    expect(reached.length).toBeGreaterThan(100);
    const known = new Map<string, number>();
    const longest = [...states.keys()].map((key) => longestFrom(key, [], known));
    expect(Math.max(...longest)).toBeLessThanOrEqual(8);
  });
});

describe('issue 6: every path ends', () => {
  const isFinal = (state: OnboardingState) => stepRow(state.step).final;

  it('from every state there is a way to an end', () => {
    const ending = new Set([...states].filter(([, state]) => isFinal(state)).map(([key]) => key));
    const leadsToAnEnd = ([, out]: readonly [string, readonly Way[]]) => out.some(({ key }) => ending.has(key));
    for (let size = 0; size !== ending.size; ) {
      size = ending.size;
      for (const [key] of [...ways].filter(leadsToAnEnd)) ending.add(key);
    }
    expect([...states.keys()].filter((key) => !ending.has(key))).toEqual([]);
  });

  it('once its time is over none waits, and none makes a call', () => {
    const over = everyFact.filter(({ time }) => time === 'over');
    const open = reached.filter((state) => !isFinal(state));
    const waiting = open
      .flatMap((state) => over.flatMap((facts) => edgesFrom(state, facts)))
      .filter((one) => one.waits);
    expect(waiting).toEqual([]);
    const calls = open.flatMap((state) => over.map((facts) => decide(state, facts))).filter((one) => one.do === 'call');
    expect(calls).toEqual([]);
  });

  it('nothing comes after an end, whatever the platform shows', () => {
    const commands = reached.filter(isFinal).flatMap((state) => everyFact.map((facts) => decide(state, facts).do));
    expect(new Set(commands)).toEqual(new Set(['nothing']));
  });

  it('what can be done at an end is up to an operator alone', () => {
    const after = onboardingTransitions.filter(({ from }) => stepRow(from).final).map(({ on }) => on);
    expect(new Set(after)).toEqual(new Set(['Retried', 'Restarted']));
  });
});

describe('issue 6: OnboardingStalled when a deadline passes', () => {
  const late = everyFact.filter(({ time }) => time === 'late');

  it('where it would wait, it says so, or stops where waiting is in vain', () => {
    const open = reached.filter(({ step }) => !stepRow(step).final && step !== 'STOPPED');
    const waiting = open.filter((state) => late.some((facts) => decide(state, facts).do === 'wait'));
    expect(waiting).toEqual([]);
  });

  it('FINDING_PERSON stops, since nobody of this externalId is shown', () => {
    const state: OnboardingState = { ...newOnboarding('none', now), step: 'FINDING_PERSON' };
    expect(
      decide(state, {
        seen: { of: 'SEARCH_ENDED' },
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

  it('where one was asked for before it was canceled, and began anew: that settles before another is asked for', () => {
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
    const ended = { seen: { of: 'SEARCH_ENDED' }, time: 'in time', isGivenUp: false, isFailure: () => false } as const;
    expect(decide(sought, { ...ended, isSettled: false })).toEqual({ do: 'wait' });
    expect(decide(sought, { ...ended, isSettled: true })).toMatchObject({ do: 'call' });
  });

  it('one that is new waits for nothing, once its person is found', () => {
    const created = evolve(newOnboarding('video', now), { type: 'CreationIntended' }, now);
    expect(evolve(created, { type: 'PersonAdopted', naturalPersonId: 'p' }, later).intentOn).toBeUndefined();
  });
});

describe('what happens at a step where it cannot is a fault of ours', () => {
  it('and throws', () => {
    expect(() => evolve(newOnboarding('none', now), { type: 'PersonActivated' }, now)).toThrow(
      'PersonActivated cannot happen at REQUESTED.',
    );
  });
});
