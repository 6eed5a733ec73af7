/** A promise of Drawbridge, and what checks it. */
export type TestedPromise = {
  readonly title: string;
  readonly text: string;
  /** Files below `test/`, each with what it shows. */
  readonly tests: readonly (readonly [file: string, shows: string])[];
};

/** In the order of their numbers, which code, tests and the simulation use as names. The first has the number 1. */
export const testedPromises: readonly TestedPromise[] = [
  {
    title: 'An accepted webhook is durable',
    text: 'A webhook that is answered 2xx is in SQS. If it cannot be made durable, the answer is 5xx, and the platform keeps the webhook.',
    tests: [
      ['functions/webhook-ingest/receive/receive.test.ts', 'the answer waits for SQS, and every failure is a 5xx'],
      ['end-to-end/webhooks.test.ts', 'the same, over HTTP'],
    ],
  },
  {
    title: 'An event has its effect once',
    text: 'Duplicates, reordering, retries and crashes between any two I/Os change nothing.',
    tests: [
      [
        'functions/webhook-ingest/store/store-batch.test.ts',
        'crashes between the steps of a batch, and failures of single records',
      ],
      ['functions/webhook-ingest/store/store-record.test.ts', 'crashes between the steps of a record'],
      ['end-to-end/store-killed-while-trading.deep.test.ts', 'duplicates and killed functions'],
      ['simulation/exhaustive/exhaustive.test.ts', 'every fault at every I/O of the smallest history'],
    ],
  },
  {
    title: 'Every accepted event ends somewhere visible',
    text: 'An event ends applied, superseded, quarantined (stored, visible, replayable) or in a dead-letter queue with an alarm. What it says about an entity reaches the bus, a refused update included.',
    tests: [
      ['functions/webhook-ingest/store/apply-event.test.ts', 'the effect and the bus event of each kind of event'],
      ['end-to-end/webhooks.test.ts', 'quarantine, replay and a dead letter'],
      ['infra/queues.test.ts', 'every queue has a dead-letter queue, which keeps a message for longer'],
      ['infra/monitoring/alarms.test.ts', 'every dead-letter queue has an alarm'],
    ],
  },
  {
    title: 'The state of an entity does not depend on the order',
    text: 'Merging is associative, commutative and idempotent. An unknown status never hides a known later one.',
    tests: [
      ['shared/entities/merge/entity-state.test.ts', 'the laws of a join, by random reports'],
      ['simulation/promises/entity-oracle.test.ts', 'the merge against an independent oracle'],
      ['end-to-end/store-killed-while-trading.deep.test.ts', 'orders and transfers'],
    ],
  },
  {
    title: 'Only what is committed is marked',
    text: '`Drain` marks a record only when every listed record that is not newer is ours and committed.',
    tests: [
      ['functions/retry-undelivered/drain/drain-properties.test.ts', 'marks against a model platform, by random lists'],
      ['end-to-end/lost-webhooks.test.ts', 'an outage with crashes'],
    ],
  },
  {
    title: 'One person per externalId',
    text: 'There is one person per `externalId` and one open verification per onboarding, even when the answer to a create is lost.',
    tests: [
      ['functions/onboarding/advance/advance.test.ts', 'a crash at each I/O of an onboarding'],
      ['end-to-end/onboarding-faults.deep.test.ts', 'lost answers and killed functions'],
    ],
  },
  {
    title: 'No call goes out with an expired token',
    text: 'One need causes one refresh, however many callers there are. A token service that is down for less than half of a token lifetime fails no call.',
    tests: [
      [
        'functions/token-refresher/refresh/fifty-callers.test.ts',
        'fifty callers with a rejected token cause one refresh',
      ],
      ['end-to-end/tokens.test.ts', 'expiry, rejection and outage'],
    ],
  },
  {
    title: 'Nothing leaks, and an erasure is exact',
    text: 'An unauthenticated request writes nothing. No personal data or secret leaves in a log, metric, error, alarm or bus event. An erasure removes everything of the person, and nothing else.',
    tests: [
      ['functions/webhook-ingest/receive/rejections.test.ts', 'what a rejected request causes'],
      ['functions/onboarding/erase-person/erase-subjects.test.ts', 'which person each event belongs to'],
      ['end-to-end/webhooks.test.ts', 'a flood without the secret'],
      ['infra/permissions.test.ts', 'what no function but one may do'],
      ['docs/generated-pages.test.ts', 'what each role may do, held as a page'],
    ],
  },
  {
    title: 'Everything drains without an operator, and nothing hammers the platform',
    text: 'When faults stop, every queue drains and every onboarding continues. While they last, no call is repeated faster than an exponential back-off.',
    tests: [
      ['functions/onboarding/advance/storms.test.ts', 'the number of calls to a platform that fails for a day'],
      ['functions/onboarding/wake/wake.test.ts', 'a due onboarding is sent once per lease'],
      ['infra/lineage.test.ts', 'no function is in a cycle, which Lambda would end'],
      ['end-to-end/onboarding-faults.deep.test.ts', 'onboardings that end after faults'],
    ],
  },
  {
    title: 'No input costs more than linear time',
    text: 'No input from the platform or from a partner costs more than linear time and bounded memory.',
    tests: [
      ['regular-expressions.deep.test.ts', 'every regular expression, by recheck'],
      ['shared/persons/identifiers-in.test.ts', 'the scanner of ids, with hostile bodies'],
      ['shared/events/json-text.test.ts', 'the limit of nested JSON'],
      ['shared/events/event.test.ts', 'what an event is, with hostile bodies'],
      ['shared/platform/client/list-elements.test.ts', 'the elements of a page, with hostile pages'],
      ['functions/webhook-ingest/receive/receive.test.ts', 'the limit of a body'],
      ['shared/platform/client/client-robustness.test.ts', 'limits of answers, pages and cursors'],
    ],
  },
  {
    title: 'An upgrade loses nothing',
    text: 'A release deploys over each release of the minor version before it, and over an older one through each minor version in between. It loses nothing, and replaces no table, queue, secret or bus.',
    tests: [
      ['infra/data-stack.test.ts', 'what is kept is retained and protected'],
      ['tools/release/upgrade-problems.test.ts', 'the templates of today, compared with those of each earlier release'],
      ['upgrades/stored-data.test.ts', 'what each release stored is read by today, and after a rollback'],
      ['upgrades/stored-data.after.test.ts', 'what today stores is read by each earlier release'],
      ['shared/entities/merge/earlier-state.test.ts', 'rows of earlier releases are read'],
      ['shared/onboarding/onboarding-row.test.ts', 'onboardings of earlier releases are read'],
    ],
  },
  {
    title: 'Reconciliation finds what webhooks failed to report',
    text: 'What no webhook reported is found by reading the platform, and nothing else counts as drift.',
    tests: [
      ['functions/retry-undelivered/reconcile/reconcile.test.ts', 'what is read, compared and repaired'],
      ['end-to-end/lost-webhooks.test.ts', 'lost webhooks'],
    ],
  },
];
