import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runProgram } from '#cli/run-program.ts';
import { lockDirectory } from '#sandbox/directory-lock.ts';
import { depsForTests } from './program-for-tests.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  // What it prints before it ends.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs `drawbridge start`, which ends before it synthesizes. */
async function start(...options: readonly string[]) {
  let stderr = '';
  let exit = 0;
  const deps = depsForTests({
    stderr: (text) => {
      stderr += text;
    },
    exit: (code) => {
      exit = code;
    },
  });
  await runProgram(['start', '--directory', directory, ...options], deps);
  return { exit, stderr };
}

describe('npm start exits before it synthesizes', () => {
  it('with 2 when the folder of --app has no CDK app, and names the folder', async () => {
    const { exit, stderr } = await start('--app', join(directory, 'none'));
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(`There is no cdk.json in ${join(directory, 'none')}`),
    });
  });

  it('with 2 when fetch blocks the port', async () => {
    const { exit, stderr } = await start('--port', '6000');
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('Port 6000 is blocked') });
  });

  it('with 2 when another sandbox uses the directory, and leaves the files of that sandbox unchanged', async () => {
    const unlock = lockDirectory(directory);
    const file = join(directory, 'endpoints.json');
    writeFileSync(file, '{}');
    const { exit, stderr } = await start('--exit');
    unlock();
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(`process ${process.pid}, uses ${directory}`),
    });
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });
});
