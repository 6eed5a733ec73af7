/** A command that proves more than `npm test` has the time for. */
export type DeepRun = {
  readonly name: string;
  /** A command of a shell. */
  readonly command: string;
  readonly environment?: Readonly<Record<string, string>>;
};

/** What is not bundled may have more licences than what is. Of an expression with OR, the project chooses the permissive licence. */
const allowedLicences = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MIT OR Apache-2.0',
  '(MIT OR GPL-3.0-or-later)',
  'MPL-2.0',
  'PSF-2.0',
]
  .map((licence) => `[license="${licence}"]`)
  .join(',');

/** Runs with processes, sockets and browsers, one after the other. They wait a lot, and some waits have a limit. */
export const foreground: readonly DeepRun[] = [
  {
    name: 'property tests, hosted stacks, package and console at full size',
    command: 'vitest run --project tests --project console',
    environment: { FULL_SIZE: 'yes' },
  },
  { name: 'scenario outage', command: 'node sandbox/scenario/main.ts outage' },
  {
    name: 'licences of all packages',
    command: `npm query --package-lock-only --no-expect-results '*:not(${allowedLicences})'`,
  },
];

/** A run of the foreground on request. */
export const deployment: DeepRun = { name: 'a deployment to an AWS emulator', command: 'npm run verify:deploy' };

/** The simulation only computes, in virtual time. It runs at low priority beside the foreground, and takes the idle cores. */
export const background: readonly DeepRun[] = [
  {
    name: '2,000 histories, and all planted bugs',
    command: 'vitest run --project simulation',
    environment: { FULL_SIZE: 'yes' },
  },
  {
    name: 'small histories with every fault',
    command: 'node test/simulation/main.ts --exhaustive',
  },
];

/** What `npm run verify` leaves out, and the command that runs it. */
export const notRun: readonly (readonly [what: string, command: string])[] = [
  ['types, style, and the tests of one size', 'npm test'],
  ['histories beyond 2,000', 'npm run simulate -- --seeds 10000'],
  ['small histories with every pair of faults', 'npm run simulate -- --exhaustive --events 4'],
  ['property tests with new random cases', 'NEW_CASES=yes npm run verify'],
  ['the mutation scores', 'the command in test/mutation/README.md'],
  ['the scenarios backlog, trading and onboarding', 'npm run scenario -- <name>'],
  ['the scenario soak, which takes about 17 minutes', 'npm run scenario soak'],
  [
    'the upgrade of two million rows',
    'ROWS=2000000 npx vitest run --project tests test/functions/retry-undelivered/reconcile/due-index.test.ts',
  ],
  ['the speed beside other frameworks', 'npm run bench'],
  ['stores and queues on DynamoDB Local and ElasticMQ', 'node tools/conformance/main.ts'],
  [
    'the AsyncAPI document in a parser of others, and a Python client that is generated from the OpenAPI document',
    'node tools/conformance/api/main.ts',
  ],
  ['known vulnerabilities, which the registry is asked for', 'npm audit --omit=dev'],
  ['a deployment to AWS', 'npx cdk deploy --all'],
];
