import { expect } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { CommandResult } from './run-drawbridge.ts';

const writes = new Set([
  'PurgeQueue',
  'DeleteMessage',
  'StartMessageMoveTask',
  'SendMessage',
  'PutSecretValue',
  'StartReplay',
]);

/** What `whileAway` returns of a command that refuses to act without a record. */
export const nothingDone = {
  exit: 2,
  stdout: '',
  stderr: expect.stringContaining('Nothing was done or shown'),
  done: [],
};

/** The log in which commands record what an operator does, so that a test can take it away. */
export function createActionLog() {
  let isAway = false;
  let done: string[] = [];
  return {
    onAwsCall: ({ when, operation, accessKeyId, input }: AwsCallMoment): void => {
      if (!isAway || when !== 'before' || accessKeyId !== 'laptop') return;
      if (operation === 'PutLogEvents') throw new Error('The log is away.');
      if (writes.has(operation)) done.push(operation);
      const [, mode] = /"?mode"?\W+(replay|rotate|retire|apply|repair)|Drain/.exec(JSON.stringify(input())) ?? [];
      if (mode !== undefined) done.push(mode);
    },
    /** Runs a command while the log is away. `done` is what the command did nevertheless: AWS calls and API requests that change something. */
    whileAway: async (
      command: (deps: { readonly fetch: typeof fetch }) => Promise<CommandResult>,
      call: typeof fetch,
    ) => {
      isAway = true;
      done = [];
      const countingFetch: typeof fetch = (input, init) => {
        if (init?.method !== undefined && init.method !== 'GET') done.push(init.method);
        return call(input, init);
      };
      const { exit, stdout, stderr } = await command({ fetch: countingFetch }).finally(() => {
        isAway = false;
      });
      return { exit, stdout, stderr, done };
    },
  };
}
