/** A command that proves more than `npm test` has the time for. */
export type DeepRun = {
  readonly name: string;
  readonly command: string;
  readonly environment?: Readonly<Record<string, string>>;
};

/** The longest run comes first, since it finds most. */
export const deepRuns: readonly DeepRun[] = [
  {
    name: '2,000 histories, all planted bugs, and the property tests at full size',
    command: 'vitest run',
    environment: { FULL_SIZE: 'yes' },
  },
  {
    name: 'small histories with every fault and every pair of faults',
    command: 'node test/simulation/main.ts --exhaustive',
  },
  {
    name: 'lock file, licences and bill of materials',
    command: 'node infra/supply-chain/main.ts --offline',
  },
  { name: 'scenario outage', command: 'node sandbox/scenario/main.ts outage' },
];

/** What `npm run verify` leaves out, and the command that runs it. */
export const notRun: readonly (readonly [what: string, command: string])[] = [
  ['types, style, and the tests of one size', 'npm test'],
  ['planted bugs that need more than 2,000 histories', 'npm run simulate -- --bugs --rare'],
  ['histories beyond 2,000', 'npm run simulate -- --seeds 10000'],
  ['property tests with new random cases', 'NEW_CASES=yes npm run verify'],
  ['the mutation score', 'node tools/mutation/main.ts'],
  ['the scenarios backlog, trading and onboarding', 'npm run scenario -- <name>'],
  ['stores and queues on DynamoDB Local and ElasticMQ', 'node tools/conformance/main.ts'],
  [
    'the AsyncAPI document in a parser of others, and a Python client that is generated from the OpenAPI document',
    'node tools/conformance/api/main.ts',
  ],
  ['a deployment to an AWS emulator', 'npm run verify:deploy'],
  ['known vulnerabilities, which the registry is asked for', 'npm run supply-chain'],
  ['a deployment to AWS', 'npx cdk deploy --all'],
];
