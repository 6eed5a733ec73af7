/** A part of the pure core that is mutated in a run of its own. */
export type Area = {
  readonly name: string;
  /** Globs of the files to mutate, from the root of the repository. */
  readonly files: readonly string[];
  /** The test files that hold them, in the order in which they run: the fast ones first. */
  readonly tests: readonly string[];
  /** In percent. Two points below the score of the day when the area was first measured. */
  readonly minScore: number;
};

const merge = 'test/shared/entities/merge';
const statuses = 'test/shared/entities/statuses';
const undelivered = 'test/functions/retry-undelivered';
const onboarding = 'test/functions/onboarding';
const register = 'test/functions/webhook-ingest/register';
const client = 'test/shared/platform/client';
const erasePerson = 'test/functions/onboarding/erase-person';

/**
 * The pure core, whose mistakes no type finds, and three areas with I/O that a mistake in makes costly. An area has tests of its
 * own, since a mutant of a table that is built at import runs all of them.
 */
const areas: readonly Area[] = [
  {
    name: 'state tables',
    files: ['shared/entities/statuses/{check-declared-statuses,status-table,entity-rules}.ts'],
    tests: [
      'test/docs/state-pages.test.ts',
      `${statuses}/entity-rules.test.ts`,
      `${statuses}/order-statuses.test.ts`,
      `${statuses}/transaction-status.test.ts`,
      'test/shared/entities/place-event.test.ts',
      `${statuses}/status-table.test.ts`,
      `${statuses}/declared-statuses.test.ts`,
      'test/infra/settings.test.ts',
    ],
    minScore: 97.2,
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
    minScore: 95.3,
  },
  {
    name: 'drain progress',
    files: [
      'functions/retry-undelivered/drain/drain-progress.ts',
      'functions/retry-undelivered/reconcile/reconcile-progress.ts',
      'shared/platform/client/cursor-trail.ts',
    ],
    tests: [
      `${undelivered}/reconcile/reconcile-progress.test.ts`,
      `${undelivered}/drain/drain-progress.test.ts`,
      `${client}/cursor-trail.test.ts`,
      'test/shared/platform/resources/tolerant-answers.test.ts',
      `${undelivered}/drain/drain-properties.test.ts`,
    ],
    minScore: 97.5,
  },
  {
    name: 'onboarding decisions',
    files: [
      'functions/onboarding/state-machine/*.ts',
      'functions/onboarding/advance/{platform-answers,make-call}.ts',
      'shared/platform/resources/natural-person-identity.ts',
      'shared/onboarding/onboarding-steps.ts',
    ],
    tests: [
      `${onboarding}/state-machine/decide.test.ts`,
      `${onboarding}/state-machine/evolve.test.ts`,
      `${onboarding}/state-machine/change-row.test.ts`,
      'test/docs/state-pages.test.ts',
      `${onboarding}/state-machine/timing.test.ts`,
      `${onboarding}/advance/platform-answers.test.ts`,
      'test/shared/platform/resources/natural-person-identity.test.ts',
      `${onboarding}/advance/make-call.test.ts`,
      `${onboarding}/advance/read-for-step.test.ts`,
      `${onboarding}/state-machine/every-path.test.ts`,
    ],
    minScore: 96.9,
  },
  {
    name: 'rotation',
    files: ['functions/webhook-ingest/register/{decide-rotation,plan-registrations}.ts'],
    tests: [
      `${register}/decide-rotation.test.ts`,
      `${register}/describe-plan.test.ts`,
      `${register}/plan-registrations.test.ts`,
    ],
    minScore: 96.5,
  },
  {
    name: 'token decisions',
    files: ['functions/token-refresher/refresh/decide-refresh.ts'],
    tests: ['test/functions/token-refresher/refresh/decide-refresh.test.ts'],
    minScore: 98,
  },
  {
    name: 'client of the platform',
    files: ['shared/platform/client/!(cursor-trail).ts'],
    tests: [
      `${client}/http.test.ts`,
      `${client}/errors.test.ts`,
      `${client}/error-meaning.test.ts`,
      `${client}/check-input.test.ts`,
      `${client}/search-list.test.ts`,
      `${client}/retry-budget.test.ts`,
      `${client}/http-answer.test.ts`,
      `${client}/client.test.ts`,
      `${client}/client-tokens.test.ts`,
      `${client}/page.test.ts`,
      `${client}/client-retries.test.ts`,
      'test/package/platform/causes.test.ts',
      'test/shared/platform/resources/tolerant-answers.test.ts',
      'test/shared/platform/resources/webhooks.test.ts',
      'test/shared/connection/platform-fetch.test.ts',
      `${client}/list-elements.test.ts`,
      `${client}/client-robustness.test.ts`,
    ],
    minScore: 74.8,
  },
  {
    name: 'reconciliation',
    files: ['functions/retry-undelivered/reconcile/!(lambda|reconcile-progress).ts'],
    tests: [
      `${undelivered}/reconcile/due-index.test.ts`,
      `${undelivered}/reconcile/find-requestor.test.ts`,
      `${undelivered}/reconcile/inspect.test.ts`,
      `${undelivered}/reconcile/reconcile-verifications.test.ts`,
      `${undelivered}/reconcile/reconcile.test.ts`,
    ],
    minScore: 71.6,
  },
  {
    name: 'erasure',
    files: ['functions/onboarding/erase-person/!(lambda).ts', 'shared/persons/*.ts'],
    tests: [
      'test/shared/persons/identifiers-in.test.ts',
      'test/shared/persons/fill-person-index.test.ts',
      `${erasePerson}/erase-subjects.test.ts`,
      `${erasePerson}/erase-restart.test.ts`,
      `${erasePerson}/erase-person.test.ts`,
      `${erasePerson}/view-events.test.ts`,
    ],
    minScore: 70.1,
  },
];

/** @throws {RangeError} when no area has this name */
export function areaOf(name: string | undefined): Area {
  const area = areas.find((one) => one.name === name);
  if (area) return area;
  throw new RangeError(`Set AREA to one of: ${areas.map((one) => one.name).join(', ')}.`);
}
