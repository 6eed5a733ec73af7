import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { repositoryRoot } from '#package/build/read-json.ts';
import { useContract } from '#test/spec/contract.ts';
import { makePerson } from '#test/spec/persons.ts';
import { message, orderDetail } from './events/sample-events.ts';
import { createSequencesTable, type SequencesTable } from './events/sequences-table.ts';
import { compileInConsumer, linkIntoConsumer, packedPackage, preparePackage, runInConsumer } from './packed-package.ts';

/** Of the npm package `node`. Beside `node` 24 in package.json its command would replace that of 24, so it has a folder of its own. */
const version = '22.23.3';

const folder = () => join(inject('scratch'), 'node-22');
const node22 = () => join(folder(), 'node_modules/node/bin/node');

beforeAll(preparePackage);
beforeAll(() => {
  mkdirSync(folder());
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder(), `node@${version}`], {
    stdio: 'pipe',
  });
});

describe('the package under Node 22', () => {
  it('runs on the Node that the test names', async () => {
    expect(await runInConsumer('version.mjs', 'console.log(process.version);', {}, node22())).toBe(`v${version}\n`);
  });

  it.each(['platform', 'events', 'cdk'])('has drawbridge/%s as an ES module and as CommonJS', async (name) => {
    const print = (load: string) => `console.log(Object.keys(${load}).length > 1);`;
    const es = print(`await import('@drawbridge-partner/drawbridge/${name}')`);
    expect(await runInConsumer('es-22.mjs', es, {}, node22())).toBe('true\n');
    expect(
      await runInConsumer('cjs-22.cjs', print(`require('@drawbridge-partner/drawbridge/${name}')`), {}, node22()),
    ).toBe('true\n');
  });

  it('has the command: help works, and start asks for Node 24', async () => {
    const command = join(packedPackage().consumer, 'node_modules/@drawbridge-partner/drawbridge/cli/drawbridge.js');
    expect(execFileSync(node22(), [command, '--help'], { encoding: 'utf8' })).toContain('\n  init ');
    expect(() => execFileSync(node22(), [command, 'start'], { stdio: 'pipe' })).toThrow(
      'npm install --save-dev node@24',
    );
  });
});

const readme = readFileSync(join(repositoryRoot, 'package/README.md'), 'utf8');

/** The code of each section that has some, by its heading. */
const examples = new Map(
  readme.split(/^## /m).flatMap((section) => {
    const code = /```ts\n(.*?)```/s.exec(section)?.[1];
    return code === undefined ? [] : [[section.slice(0, section.indexOf('\n')), code] as const];
  }),
);
const fileOf = (heading: string) => `${heading.toLowerCase().replaceAll(' ', '-')}.ts`;

describe('the examples of the README of the package, under the earliest Node that it supports', () => {
  const contract = useContract();

  /** Runs the example of a section against the sandbox platform, and returns the lines that it prints. */
  async function run(heading: string, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
    const { baseUrl } = contract();
    const credentials = { CLIENT_ID: 'sandbox', CLIENT_SECRET: 'sandbox-secret' };
    const variables = { BASE_URL: baseUrl, AUTH_URL: baseUrl, ...credentials, ...env };
    const printed = await runInConsumer(fileOf(heading), examples.get(heading) ?? '', variables, node22());
    return printed.trim().split('\n');
  }

  /** What the SDK of the partner takes from Lambda. */
  const aws = (endpoint: string) => ({
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
  });

  let sequences: SequencesTable;
  beforeAll(async () => {
    // One example uses the SDK of the partner.
    linkIntoConsumer(['@aws-sdk']);
    sequences = await createSequencesTable();
  });
  afterAll(() => sequences.close());

  it('has examples that compile strictly', () => {
    expect(examples.size).toBeGreaterThan(4);
    for (const [heading, code] of examples) writeFileSync(join(packedPackage().consumer, fileOf(heading)), code);
    expect(compileInConsumer([...examples.keys()].map(fileOf))).toBe('');
  });

  it('lists the persons that are ACTIVE, page after page', async () => {
    const ids = await Promise.all(Array.from({ length: 21 }, () => makePerson(contract())));
    await makePerson(contract(), 'BLOCKED');
    expect((await run('Call the platform')).toSorted()).toEqual(ids.map((id) => `${id} ACTIVE`).toSorted());
  });

  it('handles the changes of a batch in order, and drops what comes too late', async () => {
    const changes = [3, 1, 3].map((sequence, index) =>
      message(
        String(index),
        'OrderStatusChanged',
        orderDetail(
          'order-1',
          sequence,
          sequence === 1 ? { status: 'PENDING', transactionStatus: 'N/A' } : { transactionStatus: 'COMPLETED' },
        ),
      ),
    );
    writeFileSync(
      join(packedPackage().consumer, 'run-handler.ts'),
      `import { handler } from './consume-bus-events.ts';
console.log(JSON.stringify(await handler(${JSON.stringify({ Records: changes })})));`,
    );
    writeFileSync(join(packedPackage().consumer, 'consume-bus-events.ts'), examples.get('Consume bus events') ?? '');
    const variables = { ...aws(sequences.endpoint), SEQUENCES_TABLE: sequences.tableName };
    expect((await runInConsumer('run-handler.ts', undefined, variables, node22())).trim().split('\n')).toEqual([
      'order-1 PENDING N/A',
      'order-1 FILLED COMPLETED',
      '{"batchItemFailures":[]}',
    ]);
  });
});
