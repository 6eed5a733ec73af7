import { beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '#cli/run-program.ts';
import { version } from '#shared/version.ts';
import { depsForTests } from './program-for-tests.ts';

let stdout: string;
let stderr: string;
let exit: number;
beforeEach(() => {
  stdout = '';
  stderr = '';
  exit = 0;
});

async function run(...commandLine: readonly string[]) {
  const deps = depsForTests({
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    exit: (code) => {
      exit = code;
    },
  });
  await runProgram(commandLine, deps);
  return { exit, stdout, stderr };
}

describe('drawbridge without a deployment', () => {
  it('exits with 2 and names the next command when npm start does not run', async () => {
    expect(await run('status', '--directory', '/nowhere')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Next: npm start'),
    });
  });

  it.each([
    ['statu', 'Did you mean status?'],
    ['status --env Production', 'An environment is lower-case letters'],
    ['events ls --limit abc', 'Next: drawbridge events ls --help.'],
    ['events show', 'Next: drawbridge events ls, or drawbridge events show --help.'],
  ])('exits with 2 when the command line is wrong: %s', async (commandLine, said) => {
    expect(await run(...commandLine.split(' '))).toMatchObject({ exit: 2, stderr: expect.stringContaining(said) });
  });

  it.each([
    ['--version', `${version}\n`],
    ['status --help', expect.stringContaining('Examples:')],
  ])('exits with 0 for %s', async (commandLine, printed) => {
    expect(await run(...commandLine.split(' '))).toMatchObject({ exit: 0, stdout: printed });
  });
});
