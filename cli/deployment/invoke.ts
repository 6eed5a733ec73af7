import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { CommandError, messageOf } from '#cli/command/command-error.ts';
import { explainAwsError } from './explain-aws-error.ts';
import type { FunctionName } from './resource-names.ts';
import type { Resources } from './resources.ts';

/** Invokes a function and returns its answer. @throws {CommandError} when the function fails or refuses the request */
export type Invoke = (name: FunctionName, event: object) => Promise<unknown>;

/** Invokes a function and returns its answer with the last lines that it logged. @throws {CommandError} as `Invoke` does */
export type InvokeWithLog = (
  name: FunctionName,
  event: object,
) => Promise<{ readonly answer: unknown; readonly log: readonly string[] }>;

export type InvokeDeps = {
  readonly lambda: Pick<LambdaClient, 'send'>;
  readonly resources: () => Promise<Resources>;
};

/** The type of error of a request that a function refuses. */
const refusal = 'InvalidRequestError';

const failure = z.object({ errorType: z.string().optional(), errorMessage: z.string().optional() });

export function createInvoke({ lambda, resources }: InvokeDeps): InvokeWithLog {
  return async (name, event) => {
    const FunctionName = (await resources()).idOf('function', name);
    const { Payload, FunctionError, LogResult } = await lambda
      .send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event), LogType: 'Tail' }))
      .catch((cause: unknown) => {
        const text = `Lambda did not invoke ${name}: ${messageOf(cause)}`;
        throw explainAwsError(cause) ?? new CommandError(text, 'drawbridge doctor', { cause });
      });
    const text = Buffer.from(Payload ?? []).toString('utf8');
    const answer: unknown = text === '' ? undefined : JSON.parse(text);
    const log = Buffer.from(LogResult ?? '', 'base64')
      .toString('utf8')
      .split('\n');
    if (FunctionError === undefined) return { answer, log };
    const { errorType, errorMessage = 'it gave no reason' } = failure.catch({}).parse(answer);
    // A refused request is not an error of the function, and is not in its log.
    if (errorType === refusal)
      throw new CommandError(`${name} refused the request: ${errorMessage}`, 'correct the options of the command.');
    throw new CommandError(`${name} failed: ${errorMessage}`, 'drawbridge logs errors-by-function');
  };
}
