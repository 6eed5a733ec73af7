import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { vi } from 'vitest';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { createLineProgress } from '#cli/output/progress.ts';
import { runProgram } from '#cli/run-program.ts';
import type { Host } from '#sandbox/aws/host.ts';
import type { HostedSandbox } from './hosted-sandbox.ts';

export type CommandResult = {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Each line of the answer, parsed. */
  readonly jsonLines: () => readonly unknown[];
  /** The whole answer, parsed. */
  readonly json: () => unknown;
};

/** From now on, `drawbridge` reaches the hosted stacks as on AWS, with the AWS configuration of an operator. The test ends it. */
export function configureAws({ place }: Pick<Host, 'place'>): void {
  vi.stubEnv('AWS_ENDPOINT_URL', place.awsOrigin);
  vi.stubEnv('AWS_REGION', place.region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'operator');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'operator');
}

/** Runs `drawbridge` on the hosted stacks, as `cli/main.ts` does in a process of its own. */
export async function runDrawbridge(
  { endpointsFile }: Pick<HostedSandbox, 'endpointsFile'>,
  commandLine: readonly string[],
  deps: Partial<CommandDeps> = {},
): Promise<CommandResult> {
  let exit = 0;
  let stdout = '';
  let stderr = '';
  await runProgram(commandLine, {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    exit: (code) => {
      exit = code;
    },
    terminalWidth: () => undefined,
    environment: {},
    platform: process.platform,
    defaultDirectory: dirname(endpointsFile),
    askYesNo: undefined,
    askSecret: undefined,
    askToContinue: undefined,
    startProgress: createLineProgress((text) => {
      stderr += `${text}\n`;
    }),
    readFile: (path) => readFileSync(path, 'utf8'),
    fetch,
    now: () => new Date(),
    newId: () => randomUUID().slice(0, 8),
    wait: (milliseconds) => wait(milliseconds),
    readLines: () => Readable.from([]),
    untilInterrupted: () => new AbortController().signal,
    ...deps,
  });
  return {
    exit,
    stdout,
    stderr,
    json: () => {
      if (stdout === '') throw new Error(`The command printed no answer: ${stderr}`);
      return JSON.parse(stdout);
    },
    jsonLines: () => {
      if (exit === exitCodes.failed && stdout === '') throw new Error(`The command failed: ${stderr}`);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
  };
}
