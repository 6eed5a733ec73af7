import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { walkNodeOptions } from '#infra/retry-undelivered/node-options.ts';
import { webhooksUrl } from './job-lists.ts';
import { startJobStub } from './job-stub.ts';

/** A scheduled function that walks a list of the platform. */
export const jobs = ['drain', 'reconcile'] as const;

export type Job = (typeof jobs)[number];

/** `drain` stores the list with its first invocation, and marks it with the second. */
const invocations: Readonly<Record<Job, number>> = { drain: 2, reconcile: 1 };

const sample = z.object({
  /** In milliseconds, of each invocation. */
  runs: z.array(z.object({ wall: z.number(), cpu: z.number() })),
  peakMegabytes: z.number(),
});

export type JobSample = {
  readonly size: number;
  /** In milliseconds, of all invocations. */
  readonly wall: number;
  readonly cpu: number;
  /** The peak of the resident memory. */
  readonly megabytes: number;
  /** By operation. */
  readonly requests: Readonly<Record<string, number>>;
};

const run = promisify(execFile);

/** In megabytes: what V8 may use of the memory of the function. */
const maxHeap = 900;

/**
 * Walks a list of so many elements with a bundle in a new process, over stub servers that begin empty.
 *
 * @throws when the list was not walked to its end
 */
export async function runJob(job: Job, bundle: string, size: number, directory: string): Promise<JobSample> {
  const stub = await startJobStub(size);
  try {
    const result = join(directory, 'job.json');
    const script = join(import.meta.dirname, 'job-process.ts');
    const options = { env: variablesOf(stub.origin), maxBuffer: 1_000_000_000 };
    const heap = `--max-old-space-size=${maxHeap}`;
    await run(process.execPath, [heap, script, bundle, String(invocations[job]), result], options);
    const { runs, peakMegabytes } = sample.parse(JSON.parse(readFileSync(result, 'utf8')));
    const requests = { ...stub.requests() };
    checkWalked(job, size, { ...stub, requests });
    const sum = (of: (one: (typeof runs)[number]) => number) => runs.reduce((all, one) => all + of(one), 0);
    return { size, wall: sum(({ wall }) => wall), cpu: sum(({ cpu }) => cpu), megabytes: peakMegabytes, requests };
  } finally {
    await stub.close();
  }
}

type Walked = Pick<Awaited<ReturnType<typeof startJobStub>>, 'sent' | 'isMarked'> & Pick<JobSample, 'requests'>;

function checkWalked(job: Job, size: number, { sent, isMarked, requests }: Walked): void {
  const isDone = job === 'drain' ? sent() === size && isMarked() : sent() === 0 && (requests['list'] ?? 0) * 20 >= size;
  if (!isDone)
    throw new Error(`${job} did not walk the list of ${size}: ${sent()} messages, ${JSON.stringify(requests)}`);
}

export function variablesOf(origin: string): Readonly<Record<string, string>> {
  return {
    AWS_ACCESS_KEY_ID: 'none',
    AWS_ENDPOINT_URL: origin,
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_REGION: 'eu-central-1',
    AWS_SECRET_ACCESS_KEY: 'none',
    CALLS_PER_SECOND: '100000',
    CHECKPOINTS_TABLE: 'checkpoints',
    ENTITIES_TABLE: 'entities',
    ENVIRONMENT: 'bench',
    EVENTS_TABLE: 'events',
    EVENT_RETENTION_DAYS: '90',
    GRACE_MINUTES: '10',
    NODE_OPTIONS: walkNodeOptions,
    ONBOARDINGS_TABLE: 'onboardings',
    ONBOARDING_QUEUE_URL: `${origin}/000000000000/onboarding`,
    PLATFORM_BASE_URL: origin,
    PLATFORM_PROFILE: '{"undelivered":{"settle":1}}',
    PLATFORM_TOKEN_SECRET_ID: 'token',
    QUEUE_URL: `${origin}/000000000000/webhooks`,
    READ_BACK_AFTER_HOURS: '24',
    REQUESTOR: 'self',
    SECRET_ID: 'webhook',
    STALE_AFTER_HOURS: '72',
    TOKEN_REFRESHES_QUEUE_URL: `${origin}/000000000000/token-refreshes`,
    WEBHOOKS_URL: webhooksUrl,
  };
}
