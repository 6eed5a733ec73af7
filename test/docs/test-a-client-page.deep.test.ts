import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '#docs/generate/markdown-pages.ts';
import { type PlatformServer, startPlatformServer } from '#sandbox/platform/app/serve.ts';

const page = readFileSync(join(root, 'docs/how-to/test-a-client.md'), 'utf8');
const printed = /```text\n(.*?)```/s.exec(page)?.[1];

let server: PlatformServer;
let directory: string;
let errors: unknown[];
beforeAll(async () => {
  errors = [];
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  server = await startPlatformServer({ fetch, now: () => new Date(), onError: (error) => errors.push(error) });
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
  expect(errors).toEqual([]);
});

const programOf = (file: string) => readFileSync(join(root, 'examples/clients', file), 'utf8');

async function run(command: string, file: string): Promise<string> {
  const path = join(directory, file);
  writeFileSync(path, programOf(file).replaceAll('localhost:4010', `localhost:${server.port}`));
  return (await promisify(execFile)(command, [path])).stdout;
}

const clients = [
  { command: 'python3', version: '--version', file: 'client.py' },
  { command: 'java', version: '-version', file: 'Client.java' },
];

it.each(clients)('shows what $file prints, if its language is installed', async ({ command, version, file }) => {
  expect(page).toContain(`${command} examples/clients/${file}`);
  expect(programOf(file)).toContain('localhost:4010');
  if (spawnSync(command, [version]).status === 0) expect(await run(command, file)).toBe(printed);
  else console.log(`${file} was not run: ${command} is not installed.`);
});
