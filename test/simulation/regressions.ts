import type { HistoryOptions } from './history.ts';

/** A history that broke a promise once: it must not do so again. */
export type Regression = {
  readonly history: HistoryOptions;
  /** What was wrong, and where. */
  readonly why: string;
};

export const regressions: readonly Regression[] = [
  {
    history: { seed: 1370 },
    why: 'a refresh frozen between its request and its put (the promise was measured by the time of the answer)',
  },
  {
    history: { seed: 36 },
    why: 'an erasure of a person whose onboarding was canceled before the answer to its create came (erase-person.ts)',
  },
  {
    history: { seed: 104 },
    why: 'an erasure of a person with a verification that its onboarding, canceled, had not found yet (erase-events.ts)',
  },
  {
    history: { seed: 397 },
    why: 'the same, of another verification: what is heard of it later is erased as well (take-effect.ts)',
  },
  {
    history: { seed: 60345 },
    why: 'an erasure of a person of whom nothing was known but the externalId (take-effect.ts)',
  },
  {
    history: { seed: 651 },
    why: 'a verification under way, forgotten by an onboarding that began anew (settledBy in onboarding.ts)',
  },
];
