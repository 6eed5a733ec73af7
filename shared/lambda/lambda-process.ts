import { setTimeout as sleep } from 'node:timers/promises';
import { fromEnv } from '@aws-sdk/credential-provider-env';
import * as z from 'zod/mini';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { parseJson } from '#shared/parse-json.ts';

/**
 * Reads the settings of a process from its environment variables.
 *
 * @throws `EnvironmentError` when a variable is missing or malformed
 */
export function readEnvironment<Schema extends z.ZodMiniObject>(
  schema: Schema,
  variables: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const result = z.safeParse(schema, variables);
  if (result.success) return result.data;
  const names = [...new Set(result.error.issues.map((issue) => issue.path.join('.')))];
  throw new DrawbridgeError(
    'EnvironmentError',
    `Set these environment variables to valid values: ${names.join(', ')}.`,
  );
}

/** A variable that must not be empty. */
export const textVariable = z.string().check(z.minLength(1));

/** A variable that holds JSON of this schema. */
export function jsonVariable<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.pipe(
    z.pipe(
      z.string(),
      z.transform((text, context): unknown => {
        const value = parseJson(text);
        if (value !== undefined) return value;
        context.issues.push({ code: 'custom', message: 'is not JSON', input: undefined });
        return z.NEVER;
      }),
    ),
    schema,
  );
}

/** The same for settings that all have defaults, which apply without the variable. */
export function settingsVariable<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.prefault(jsonVariable(schema), '{}');
}

/** Time, chance, and where lines go: what a process gives to the handler that it builds. */
export type ProcessDeps = {
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** A signal that aborts after so many milliseconds. */
  readonly timeout: (milliseconds: number) => AbortSignal;
  /** Writes a line of the log, or of metrics. */
  readonly write: (line: string) => void;
  /** The peak of the resident memory of the process so far, in bytes. */
  readonly peakMemory?: () => number;
  /** The id of the trace of this invocation; undefined if Lambda does not trace it. */
  readonly traceId?: () => string | undefined;
};

/**
 * The id in the trace header that Lambda keeps in `_X_AMZN_TRACE_ID`, if the trace is sampled.
 * https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 */
export function sampledTrace(header: string | undefined): string | undefined {
  const parts = new Map(header?.split(';').map((part) => [part.slice(0, part.indexOf('=')), part]));
  return parts.get('Sampled') === 'Sampled=1' ? parts.get('Root')?.slice('Root='.length) : undefined;
}

/** The deps in Lambda. */
export const lambdaProcess: ProcessDeps = {
  now: () => new Date(),
  random: Math.random,
  wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  write: (line) => void process.stdout.write(line),
  peakMemory: () => process.resourceUsage().maxRSS * 1_024,
};

/** In milliseconds. */
const connectionTimeout = 1_000;

/**
 * The options of each AWS client in a function. A client is made once per process, and keeps its connections alive as the SDK does by
 * default. Lambda passes credentials in environment variables, and bundles contain no other provider (docs/decisions/code.md,
 * "Functions call AWS through the AWS SDK").
 *
 * @param requestTimeout in milliseconds: how long an attempt waits for an answer, and then for more of its body
 * @param maxAttempts the first one included: https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
export function clientOptions(requestTimeout: number, maxAttempts = 3) {
  return {
    credentials: fromEnv(),
    retryMode: 'standard',
    maxAttempts,
    // Otherwise the host of a queue's URL replaces each resolved endpoint of SQS, such as that of `fipsEndpoints`.
    useQueueUrlAsEndpoint: false,
    requestHandler: { connectionTimeout, requestTimeout, socketTimeout: requestTimeout, throwOnRequestTimeout: true },
  };
}
