import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { runCommand } from './command.ts';

export type AwsOptions = {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

const invoked = z.object({ FunctionError: z.string().optional() });

export type Aws = ReturnType<typeof createAws>;

/** The AWS CLI, as the how-to pages use it. */
export function createAws({ directory, env, signal }: AwsOptions) {
  const run = (...args: readonly string[]) =>
    runCommand('aws', [...args, '--output', 'json'], { cwd: directory, env, signal });

  return {
    run,
    /** Runs a command and parses the JSON that it prints. */
    read: async <Schema extends z.ZodType>(schema: Schema, ...args: readonly string[]): Promise<z.output<Schema>> =>
      schema.parse(JSON.parse((await run(...args)) || '{}')),
    /** Invokes a function with the options of the how-to pages. @throws {DeploymentError} */
    invoke: async (functionName: string, payload: object): Promise<unknown> => {
      const answerFile = join(mkdtempSync(join(directory, 'invocation-')), 'answer.json');
      const named = ['--function-name', functionName, '--payload', JSON.stringify(payload)];
      const options = ['--cli-read-timeout', '130', '--cli-binary-format', 'raw-in-base64-out'];
      const { FunctionError } = invoked.parse(
        JSON.parse(await run('lambda', 'invoke', ...named, ...options, answerFile)),
      );
      const answer = readFileSync(answerFile, 'utf8');
      if (FunctionError !== undefined) throw new DeploymentError(`${functionName} failed: ${answer}`);
      return JSON.parse(answer);
    },
  };
}
