import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { createProgram } from '#cli/program.ts';
import { runProgram } from '#cli/run-program.ts';

/** The program as `cli/main.ts` makes it, whose output stays in the test. */
export function programForTests(deps: Partial<CommandDeps> = {}): Command {
  return createProgram(depsForTests(deps));
}

/** What the commands need of the process, none of which leaves the test. */
export function depsForTests(deps: Partial<CommandDeps> = {}): CommandDeps {
  return {
    stdout: () => undefined,
    stderr: () => undefined,
    exit: () => undefined,
    terminalWidth: () => undefined,
    environment: {},
    platform: 'linux',
    defaultDirectory: '.sandbox',
    askYesNo: undefined,
    askToContinue: undefined,
    askSecret: undefined,
    startProgress: () => ({ advance: () => undefined, stop: () => undefined }),
    readFile: () => '',
    fetch: () => Promise.reject(new Error('No request is expected.')),
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    newId: () => 'id',
    wait: () => Promise.resolve(),
    readLines: () => Readable.from([]),
    untilInterrupted: () => new AbortController().signal,
    ...deps,
  };
}

/** Runs a command line, as a terminal does. @returns the exit code, and what was printed */
export async function runForTests(commandLine: readonly string[], deps: Partial<CommandDeps> = {}) {
  const result = { exit: 0, stdout: '', stderr: '' };
  const captured = {
    stdout: (text: string) => (result.stdout += text),
    stderr: (text: string) => (result.stderr += text),
    exit: (code: number) => (result.exit = code),
  };
  await runProgram(commandLine, depsForTests({ ...captured, ...deps }));
  return result;
}

/** An app whose settings name a platform and a requestor of the environment test. @returns its directory, for the caller to remove */
export function createAppForTests(origin: string, requestor: string): string {
  const app = mkdtempSync(join(tmpdir(), 'drawbridge-app-'));
  mkdirSync(join(app, 'settings'));
  const settings = { platform: { baseUrl: origin, authUrl: origin }, onboarding: { requestor } };
  writeFileSync(join(app, 'settings', 'test.json'), JSON.stringify(settings));
  return app;
}
