import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { vi } from 'vitest';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { createLineProgress } from '#cli/output/progress.ts';
import type { Host } from '#sandbox/aws/host.ts';
import { runForTests } from '#test/cli/program-for-tests.ts';
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
  let stderr = '';
  const toStderr = (text: string) => {
    stderr += text;
  };
  const { exit, stdout } = await runForTests(commandLine, {
    stderr: toStderr,
    platform: process.platform,
    defaultDirectory: dirname(endpointsFile),
    startProgress: createLineProgress((text) => toStderr(`${text}\n`)),
    readFile: (path) => readFileSync(path, 'utf8'),
    fetch,
    now: () => new Date(),
    newId: () => randomUUID().slice(0, 8),
    wait: (milliseconds) => wait(milliseconds),
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
