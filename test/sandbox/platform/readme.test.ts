import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformServer, startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { magicOrders, magicPersons, magicTransfers } from '#sandbox/platform/core/magic-values.ts';
import { exampleCommands } from '#sandbox/platform/example-commands.ts';

const path = join(dirname(dirname(dirname(import.meta.dirname))), 'sandbox/platform/README.md');
const readme = readFileSync(path, 'utf8');
/** Every line for a shell, but those that install and start. */
const script = [...readme.matchAll(/```sh\n(.*?)```/gs)]
  .map(([, block = '']) => block)
  .filter((block) => !block.startsWith('npm'))
  .join('');

let errors: unknown[];
let server: PlatformServer;
let directory: string;
beforeAll(async () => {
  errors = [];
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  server = await startPlatformServer({ fetch, now: () => new Date(), onError: (error) => errors.push(error) });
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
  expect(errors).toEqual([]);
});

/** Runs lines as they would be pasted into a shell, and gives each call of curl with the status of its answer. */
async function run(lines: string): Promise<readonly string[]> {
  const log = join(directory, 'calls');
  const prelude = [
    'set -u',
    `curl() { status=$(command curl --output '${directory}/body' --write-out '%{http_code}' --show-error --silent "$@"); echo "$status curl $*" >> '${log}'; cat '${directory}/body'; }`,
    `: > '${log}'`,
  ];
  const text = [...prelude, lines.replaceAll('localhost:4010', `localhost:${server.port}`), 'true'].join('\n');
  await promisify(execFile)('bash', ['-c', text], { cwd: directory });
  return readFileSync(log, 'utf8').trim().split('\n');
}

describe('sandbox platform: the curl commands of README.md', () => {
  it('runs every command in order with the described result', async () => {
    const calls = await run(script);
    expect(calls).toHaveLength(script.match(/\bcurl\b/g)?.length ?? 0);
    expect(calls.length).toBeGreaterThan(20);
    for (const call of calls) expect(call).toMatch(/^2\d\d curl /);
  });
});

describe('sandbox platform: the commands that npm run platform prints', () => {
  it('runs every command with the described result, for any credentials', async () => {
    const credentials = { clientId: `it's "a" $client`, clientSecret: '`x` & \\ ä' };
    const other = await startPlatformServer({
      fetch,
      credentials,
      now: () => new Date(),
      onError: (error) => errors.push(error),
    });
    try {
      const lines = exampleCommands({
        origin: other.origin,
        tokenPath: '/oauth2/token',
        webhooksPath: '/webhooks',
        credentials,
      });
      expect(lines).toHaveLength(3);
      const calls = await run(lines.join('\n'));
      expect(calls.map((call) => call.slice(0, 8))).toEqual(['200 curl', '200 curl', '200 curl']);
      expect(other.platform.registrations.list()).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});

describe('sandbox platform: the magic values in README.md', () => {
  it('matches the sources: `npx vitest run test/sandbox/platform/readme.test.ts -u` rewrites it', async () => {
    const [before, after] = readme.split(/(?<=<!-- magic -->\n).*(?=<!-- \/magic -->)/s);
    await expect(`${before}${magicValues()}${after}`).toMatchFileSnapshot(path);
  });
});

function magicValues(): string {
  const listOf = (field: string, values: Readonly<Record<string, { readonly means: string }>>) => [
    `${field}:\n`,
    ...Object.entries(values).map(([value, { means }]) => `- \`${value}\`: ${means}`),
    '',
  ];
  return [
    ...listOf('`lastName` of a person', magicPersons),
    ...listOf('`externalId` of an order', magicOrders),
    ...listOf('`externalId` of a transfer', magicTransfers),
    '',
  ].join('\n');
}
