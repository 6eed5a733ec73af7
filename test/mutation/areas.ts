/** A part of the pure core that is mutated in a run of its own. */
export type Area = {
  readonly name: string;
  /** Globs of the files to mutate, from the root of the repository. */
  readonly files: readonly string[];
};

/**
 * The pure core: decisions without I/O, whose mistakes no type finds. Each area has a run of its own, so that a mutant of a
 * table that is built at import meets the tests of its area alone.
 */
export const areas: readonly Area[] = [
  {
    name: 'state tables',
    files: [
      'shared/entities/*-statuses.ts',
      'shared/entities/{status-table,entity-rules,extend-table,check-declared-statuses,transaction-status}.ts',
    ],
  },
  { name: 'merge', files: ['shared/entities/{knowledge,earlier-knowledge,shown,effect,anomalies,times}.ts'] },
  {
    name: 'drain progress',
    files: ['functions/retry-undelivered/{drain-progress,cursor-trail,reconcile-progress}.ts'],
  },
  {
    name: 'onboarding decisions',
    files: [
      'functions/onboarding/{onboarding,waiting,facts,failure,conflict,repeated-request,call-outcome}.ts',
      'shared/onboarding-steps.ts',
    ],
  },
  {
    name: 'rotation',
    files: ['functions/webhook-ingest/{decide-rotation,plan-registrations,compare-webhook}.ts'],
  },
  { name: 'token decisions', files: ['functions/token-refresher/decide-refresh.ts'] },
];
