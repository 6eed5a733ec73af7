/** A part of the pure core that is mutated in a run of its own. */
export type Area = {
  readonly name: string;
  /** Globs of the files to mutate, from the root of the repository. */
  readonly files: readonly string[];
  /** The test files that hold them, in the order in which they run: the fast ones first. */
  readonly tests: readonly string[];
};

const merge = 'test/shared/entities/merge';
const statuses = 'test/shared/entities/statuses';
const undelivered = 'test/functions/retry-undelivered';
const onboarding = 'test/functions/onboarding';
const register = 'test/functions/webhook-ingest/register';

/**
 * The pure core: decisions without I/O, whose mistakes no type finds. An area has tests of its own, since a mutant of a table
 * that is built at import runs all of them.
 */
export const areas: readonly Area[] = [
  {
    name: 'state tables',
    files: [
      'shared/entities/statuses/*-statuses.ts',
      'shared/entities/statuses/{status-table,entity-rules,extend-table,transaction-status}.ts',
    ],
    tests: [
      `${statuses}/states.test.ts`,
      `${statuses}/entity-rules.test.ts`,
      `${statuses}/order-statuses.test.ts`,
      `${statuses}/transfer-statuses.test.ts`,
      `${statuses}/natural-person-statuses.test.ts`,
      `${statuses}/identification-verification-statuses.test.ts`,
      `${statuses}/transaction-status.test.ts`,
      `${statuses}/status-table.test.ts`,
      `${statuses}/declared-statuses.test.ts`,
    ],
  },
  {
    name: 'merge',
    files: ['shared/entities/merge/*.ts'],
    tests: [
      `${merge}/entity-view.test.ts`,
      `${merge}/effect.test.ts`,
      `${merge}/earlier-state.test.ts`,
      `${merge}/anomalies.test.ts`,
      `${merge}/entity-state.test.ts`,
    ],
  },
  {
    name: 'drain progress',
    files: [
      'functions/retry-undelivered/drain/{drain-progress,add-page,created-on}.ts',
      'functions/retry-undelivered/reconcile/reconcile-progress.ts',
      'shared/platform/client/cursor-trail.ts',
    ],
    tests: [
      `${undelivered}/reconcile/reconcile-progress.test.ts`,
      `${undelivered}/drain/drain-progress.test.ts`,
      `${undelivered}/drain/drain-properties.test.ts`,
    ],
  },
  {
    name: 'onboarding decisions',
    files: [
      'functions/onboarding/state-machine/*.ts',
      'functions/onboarding/{observe/call-failure,observe/read-conflict,advance/call-outcome}.ts',
      'shared/onboarding/onboarding-steps.ts',
    ],
    tests: [
      `${onboarding}/state-machine/decide.test.ts`,
      `${onboarding}/state-machine/evolve.test.ts`,
      `${onboarding}/state-machine/change-row.test.ts`,
      `${onboarding}/state-machine/onboarding-document.test.ts`,
      `${onboarding}/state-machine/next-wake.test.ts`,
      `${onboarding}/state-machine/observation.test.ts`,
      `${onboarding}/observe/call-failure.test.ts`,
      `${onboarding}/observe/read-conflict.test.ts`,
      `${onboarding}/advance/call-outcome.test.ts`,
      `${onboarding}/state-machine/every-path.test.ts`,
    ],
  },
  {
    name: 'rotation',
    files: ['functions/webhook-ingest/register/{decide-rotation,plan-registrations,compare-webhook}.ts'],
    tests: [
      `${register}/decide-rotation.test.ts`,
      `${register}/describe-plan.test.ts`,
      `${register}/plan-registrations.test.ts`,
    ],
  },
  {
    name: 'token decisions',
    files: ['functions/token-refresher/refresh/decide-refresh.ts'],
    tests: ['test/functions/token-refresher/refresh/decide-refresh.test.ts'],
  },
];
