import type { PlantedBug } from './bugs/planted-bug.ts';
import { plantedBug } from './bugs/planted-bugs.ts';
import type { HistoryOptions } from './history.ts';

/** A history that broke a promise in the past and must not break a promise again. */
export type Regression = {
  readonly history: HistoryOptions;
  /** The defect and its place. */
  readonly why: string;
  /** The planted bug that reverts the fix. With the bug, this history breaks a promise again. */
  readonly bug: PlantedBug;
};

/** After a change of the plan of histories, search the seeds again. The bugs show when a seed is out of date. */
export const regressions: readonly Regression[] = [
  {
    history: { seed: 643 },
    why: 'erases a person with a verification that the canceled onboarding had not found (person-events.ts, apply-event.ts)',
    bug: plantedBug('a verification without a known person survives the erasure of the person'),
  },
  {
    history: { seed: 2648 },
    why: 'sends an identification again that the platform answered with 200 and malformed JSON (checkNoContent in http.ts)',
    // The platform must fail for hours, and in one way: with a 200 that is not the platform's, to a PUT of an identification.
    bug: {
      name: 'a 200 response with malformed JSON counts as accepted',
      file: 'shared/platform/client/http.ts',
      find: "if (parseBody(answer) === undefined && textOf(answer).trim() !== '')",
      replace: 'if (false)',
      breaks: [9],
    },
  },
  {
    history: { seed: 21768 },
    why: 'publishes codes of the platform that came after the end, if the run crashes between the bus and the row (evolve.ts)',
    bug: {
      name: 'an onboarding with codes that came after its end is not due',
      file: 'functions/onboarding/state-machine/evolve.ts',
      find: 'return { ...next, state: { ...state, dueOn: endOfRun(at) }, outbox };',
      replace: 'return { ...next, outbox };',
      breaks: [9],
    },
  },
];
