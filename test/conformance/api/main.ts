/** `npm run conformance:api`: validates the OpenAPI document, and uses the laptop by a Python client that is generated from it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startSandbox } from '#sandbox/sandbox.ts';
import { requireNode24 } from '#sandbox/terminal/command-line.ts';
import { CommandError, runCommand } from '#test/deploy/tools/command.ts';
import { installPythonTools } from '#test/deploy/tools/python-tools.ts';

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

const tools = await installPythonTools({ root, env: process.env }, 'api');
if ('missing' in tools) print(`conformance:api skips everything: this machine lacks ${tools.missing}.`);
else {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  try {
    await useClient(tools.bin, directory);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    print(error.message);
    process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
process.exit();
