import { mostSeconds, type SettingsChange } from '#sandbox/platform/core/settings.ts';
import { fault } from '#sandbox/platform/faults/faults.ts';
import type { Platform } from '#sandbox/platform/platform.ts';

/** What the platform does of itself: next to nothing, so that each person's fate decides. */
export const ownWays: SettingsChange = {
  acceptSelfBeforeActive: true,
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

const faults = [
  ...creates.flatMap((operation) => [
    // However few persons there are, an answer of each kind is lost.
    { operation, effect: 'ANSWER', status: 500, commits: true, times: 1 },
    { operation, effect: 'ANSWER', status: 500, commits: true, share: 0.05 },
    { operation, effect: 'NO_ANSWER', commits: true, share: 0.05 },
  ]),
  { effect: 'ANSWER', status: 503, share: 0.05 },
  { effect: 'ANSWER', status: 429, retryAfter: '1', share: 0.05 },
];

/** Of what there was of each kind. */
export type FaultCounts = { readonly lostAnswers: number; readonly errors: number };

export function beginFaults(platform: Platform): void {
  platform.settings.change(unreliable);
  for (const one of faults) platform.faults.place(fault.parse(one));
}

export function endFaults(platform: Platform): FaultCounts {
  const happened = (isSo: (operation: string) => boolean) =>
    platform.faults
      .list()
      .filter(({ fault: one }) => isSo(one.operation))
      .reduce((sum, placed) => sum + placed.happened, 0);
  const counts = { lostAnswers: happened((name) => name !== '*'), errors: happened((name) => name === '*') };
  platform.faults.clear();
  platform.settings.change(reliable);
  return counts;
}
