import type { MeasuredInvocation } from './measured-usage.ts';

/** With this memory, in megabytes, Lambda gives a whole processor: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const megabytesPerProcessor = 1_769;

/** In milliseconds, of one request. None was measured on AWS. */
export const requestMs = { dynamodb: 5, sqs: 10, eventBridge: 15 } as const;

const serviceOf: Readonly<Record<string, keyof typeof requestMs>> = { SendMessage: 'sqs', PutEvents: 'eventBridge' };

/** The part of a processor that a function has. One thread uses no more than a whole one. */
export function processorShare(megabytes: number): number {
  return Math.min(1, megabytes / megabytesPerProcessor);
}

/** How long CPU work takes, in milliseconds. */
export function cpuDuration(cpuMs: number, megabytes: number): number {
  return cpuMs / processorShare(megabytes);
}

/** How long the requests of an invocation take that are sent one after the other, in milliseconds. */
export function requestDuration(requests: MeasuredInvocation['requests']): number {
  return Object.entries(requests).reduce(
    (sum, [operation, count]) => sum + count * requestMs[serviceOf[operation] ?? 'dynamodb'],
    0,
  );
}

/**
 * What Lambda bills for an invocation, in milliseconds.
 *
 * @param oneAfterAnother the requests that wait for each other. Those of the records of a batch are sent at the same time.
 */
export function billedDuration(
  { cpuMs }: Pick<MeasuredInvocation, 'cpuMs'>,
  megabytes: number,
  oneAfterAnother: MeasuredInvocation['requests'],
): number {
  return Math.ceil(cpuDuration(cpuMs, megabytes) + requestDuration(oneAfterAnother));
}
