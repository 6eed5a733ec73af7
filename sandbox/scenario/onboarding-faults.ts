import { mostSeconds, type SettingsChange } from '#sandbox/platform/core/settings.ts';
import { fault } from '#sandbox/platform/faults/faults.ts';
import type { Platform } from '#sandbox/platform/platform.ts';

/** What the platform does of itself: next to nothing, so that each person's fate decides. */
export const ownWays: SettingsChange = {
  checksAfter: mostSeconds,
  activationsAfter: mostSeconds,
  videoCallsAfter: null,
};

/** The delay in seconds. */
const unreliable: SettingsChange = {
  deliveriesLost: 0.1,
  deliveriesDuplicated: 0.1,
  deliveriesDelayed: 0.2,
  deliveriesReordered: 0.2,
  deliveryDelay: 600,
};

const reliable: SettingsChange = {
  deliveriesLost: 0,
  deliveriesDuplicated: 0,
  deliveriesDelayed: 0,
  deliveriesReordered: 0,
};

/** All of them commit, then answer 500, or not at all. */
const creates = ['createNaturalPerson', 'createIdentificationVerification', 'createNaturalPersonIdentification'];

/** What is placed of each kind. */
const faults = {
  /** The partner's credentials have lost a right: what is refused stops, until somebody has seen to it. */
  refusals: creates.map((operation) => ({ operation, effect: 'ANSWER', status: 403, times: 2 })),
  lostAnswers: creates.flatMap((operation) => [
    // However few persons there are, an answer of each kind is lost.
    { operation, effect: 'ANSWER', status: 500, commits: true, times: 1 },
    { operation, effect: 'ANSWER', status: 500, commits: true, share: 0.1 },
    { operation, effect: 'NO_ANSWER', commits: true, share: 0.05 },
  ]),
  errors: [
    { effect: 'ANSWER', status: 503, share: 0.05 },
    { effect: 'ANSWER', status: 429, retryAfter: '1', share: 0.05 },
  ],
};

/** Of what there was of each kind. */
export type FaultCounts = Readonly<Record<keyof typeof faults, number>>;

export type FaultsUnderWay = ReturnType<typeof beginFaults>;

export function beginFaults({ settings, faults: { place, list, remove, clear } }: Platform) {
  settings.change(unreliable);
  const idsOf = (ones: readonly unknown[]) => new Set(ones.map((one) => place(fault.parse(one)).id));
  const ids = {
    refusals: idsOf(faults.refusals),
    lostAnswers: idsOf(faults.lostAnswers),
    errors: idsOf(faults.errors),
  };
  const happened = (kind: keyof typeof ids) =>
    list().reduce((sum, placed) => sum + (ids[kind].has(placed.id) ? placed.happened : 0), 0);
  let refusals: number | undefined;

  return {
    /** The credentials get their right back. */
    endRefusals: (): void => {
      refusals ??= happened('refusals');
      for (const id of ids.refusals) remove(id);
    },
    haveRefusalsEnded: (): boolean => refusals !== undefined,
    end: (): FaultCounts => {
      const counts = {
        refusals: refusals ?? happened('refusals'),
        lostAnswers: happened('lostAnswers'),
        errors: happened('errors'),
      };
      clear();
      settings.change(reliable);
      return counts;
    },
  };
}
