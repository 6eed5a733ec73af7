import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

/** Invokes the function `reconcile` and returns its answer. @throws {InvokeError} */
export type Invoke = (event: object) => Promise<unknown>;

/** The function `reconcile` could not be invoked, or failed. */
export class InvokeError extends Error {
  override readonly name = 'InvokeError';
}

const endpoints = z.object({ control: z.url() });
const failure = z.object({ message: z.string().optional(), errorMessage: z.string().optional() });

/** Invokes the function that `npm start` hosts. @param endpointsFile the `endpoints.json` that `npm start` wrote */
export function invokeOnLaptop(endpointsFile: string): Invoke {
  const { control } = readEndpoints(endpointsFile);
  return async (event) => {
    const answer = await fetch(`${control}/functions/reconcile/invocations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
    }).catch((cause: unknown) => {
      throw new InvokeError(`Nothing answers at ${control}. Start Drawbridge with npm start.`, { cause });
    });
    const body = parse(await answer.text());
    if (!answer.ok) throw failed(body);
    return body;
  };
}

function readEndpoints(file: string): z.infer<typeof endpoints> {
  try {
    return endpoints.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new InvokeError(
      `${file} does not name the control API. Start the stacks with npm start, or name a deployed function with --function.`,
      { cause },
    );
  }
}

const invoked = z.object({ FunctionError: z.string().optional() });

/** Invokes a deployed function with `aws lambda invoke`: the region and credentials are those of the AWS CLI. */
export function invokeOnAws(functionName: string): Invoke {
  return async (event) => {
    const directory = mkdtempSync(join(tmpdir(), 'drawbridge-reconcile-'));
    const outputFile = join(directory, 'answer.json');
    try {
      const { FunctionError } = invoked.parse(parse(await runAws(functionName, event, outputFile)));
      const body = parse(readFileSync(outputFile, 'utf8'));
      if (FunctionError !== undefined) throw failed(body);
      return body;
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  };
}

async function runAws(functionName: string, event: object, outputFile: string): Promise<string> {
  const invocation = ['lambda', 'invoke', '--function-name', functionName, '--payload', JSON.stringify(event)];
  const format = ['--cli-binary-format', 'raw-in-base64-out', '--cli-read-timeout', '120', '--output', 'json'];
  try {
    return (await promisify(execFile)('aws', [...invocation, ...format, outputFile])).stdout;
  } catch (cause) {
    const { stderr = '' } = z.object({ stderr: z.string().optional() }).catch({}).parse(cause);
    throw new InvokeError(`aws lambda invoke failed: ${stderr.trim() || 'check that the AWS CLI is installed.'}`, {
      cause,
    });
  }
}

function failed(body: unknown): InvokeError {
  const { message, errorMessage } = failure.catch({}).parse(body);
  return new InvokeError(`Reconcile failed: ${errorMessage ?? message ?? 'read the log of the function.'}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvokeError('The function did not return JSON.', { cause });
  }
}
