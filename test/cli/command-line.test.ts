import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockDirectory } from '#sandbox/directory-lock.ts';
import { version } from '#shared/version.ts';
import { runForTests } from './program-for-tests.ts';

/** Without a sandbox and without a CDK app. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('drawbridge without a deployment', () => {
  it.each([
    ['npm start does not run', 'status --directory /nowhere', 'Next: npm start'],
    ['a command is misspelt', 'statu', 'Did you mean status?'],
    ['an environment has capitals', 'status --env Production', 'An environment is lower-case letters'],
    ['an option is no number', 'events ls --limit abc', 'Next: drawbridge events ls --help.'],
    ['an argument is missing', 'events show', 'Next: drawbridge events ls, or drawbridge events show --help.'],
    ['a tour is of a deployment', 'tour --env production', 'without --env'],
    ['a folder has no CDK app', 'tour --app FOLDER --directory FOLDER/sandbox', 'Next: npx --no -- drawbridge init'],
  ])('exits with 2, and names what to do, when %s', async (_, commandLine, said) => {
    expect(await runForTests(commandLine.replaceAll('FOLDER', folder).split(' '))).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(said),
    });
  });

  it('says on Windows that Drawbridge needs WSL, before init writes anything', async () => {
    const { stderr } = await runForTests(['init', join(folder, 'my-bank')], { platform: 'win32' });
    expect(stderr).toContain('Windows needs WSL');
  });

  it.each([
    ['--version', `${version}\n`],
    ['status --help', expect.stringContaining('Examples:')],
  ])('exits with 0 for %s', async (commandLine, printed) => {
    expect(await runForTests(commandLine.split(' '))).toMatchObject({ exit: 0, stdout: printed });
  });
});

describe('npm start exits with 2 before it synthesizes', () => {
  beforeEach(() => {
    // What it prints before it ends.
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(() => vi.restoreAllMocks());

  const start = (...options: readonly string[]) => runForTests(['start', '--directory', folder, ...options]);

  it('when the folder of --app has no CDK app, or fetch blocks the port', async () => {
    const none = join(folder, 'none');
    expect(await start('--app', none)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(`There is no cdk.json in ${none}`),
    });
    expect(await start('--port', '6000')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Port 6000 is blocked'),
    });
  });

  it('when another sandbox uses the directory, and leaves the files of that sandbox unchanged', async () => {
    const unlock = lockDirectory(folder);
    const file = join(folder, 'endpoints.json');
    writeFileSync(file, '{}');
    const { exit, stderr } = await start('--exit');
    unlock();
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(`process ${process.pid}, uses ${folder}`),
    });
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });
});
