/** `node tools/conformance/api/main.ts`: validates the AsyncAPI and the OpenAPI document, and uses the laptop by a Python client that is generated from the latter. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startSandbox } from '#sandbox/sandbox.ts';
import { requireNode24 } from '#sandbox/terminal/command-line.ts';
import { ProcessFailedError } from '#tools/deploy/errors.ts';
import { runCommand, succeeds } from '#tools/deploy/tools/command.ts';
import { installPythonTools } from '#tools/deploy/tools/python-tools.ts';

requireNode24();
const root = dirname(dirname(dirname(import.meta.dirname)));

function print(text: string): void {
  process.stdout.write(`${text.trimEnd()}\n`);
}

async function useClient(bin: string, directory: string): Promise<void> {
  const client = join(directory, 'client');
  const options = { cwd: root, env: { ...process.env, PYTHONPATH: client } };
  const run = (name: string, args: readonly string[]) => runCommand(join(bin, name), args, options);
  print(await run('openapi-spec-validator', ['docs/reference/openapi.json']));
  const { host, close } = await startSandbox({ root, directory: join(directory, 'laptop'), environment: process.env });
  try {
    const url = `${host.place.apiOrigin}/openapi.json`;
    await run('openapi-python-client', ['generate', '--url', url, '--output-path', client, '--meta', 'setup']);
    print(await run('python', [join(import.meta.dirname, 'use_client.py'), host.place.apiOrigin]));
  } finally {
    await close();
  }
}

const options = { root, cwd: root, env: process.env };

async function checkAsyncapi(): Promise<void> {
  if (!(await hasSpectral()))
    return print('conformance:api skips the AsyncAPI document: npx gets no answer from the npm registry.');
  const ruleset = join(import.meta.dirname, 'asyncapi-ruleset.yaml');
  print(await spectral('lint', 'docs/reference/asyncapi.json', '--ruleset', ruleset, '--fail-severity', 'warn'));
}

function spectral(...args: readonly string[]): Promise<string> {
  // A package below Spectral has an install script that reports to a server.
  const env = { ...process.env, npm_config_ignore_scripts: 'true', npm_config_fetch_retries: '1' };
  return runCommand('npx', ['-y', '-p', '@stoplight/spectral-cli@6.16.3', 'spectral', ...args], { cwd: root, env });
}

/** @throws {ProcessFailedError} if the registry answers, and Spectral does not start */
async function hasSpectral(): Promise<boolean> {
  try {
    await spectral('--version');
    return true;
  } catch (error) {
    const isRegistryReached = () => runCommand('npm', ['view', 'npm', 'version', '--fetch-retries=0'], options);
    if (await succeeds(isRegistryReached)) throw error;
    return false;
  }
}

async function checkOpenapi(): Promise<void> {
  const tools = await installPythonTools(options, 'api');
  if ('missing' in tools)
    return print(`conformance:api skips the OpenAPI document: this machine lacks ${tools.missing}.`);
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  try {
    await useClient(tools.bin, directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

for (const check of [checkAsyncapi, checkOpenapi])
  try {
    await check();
  } catch (error) {
    if (!(error instanceof ProcessFailedError)) throw error;
    print(error.message);
    process.exitCode = 1;
  }
process.exit();
