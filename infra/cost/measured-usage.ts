import * as z from 'zod';
import keptUsage from './measured-usage.json' with { type: 'json' };

const amount = z.number().nonnegative();

/** What an invocation takes, once its instance is warm. */
const invocation = z.strictObject({
  /** Milliseconds of a whole processor. */
  cpuMs: amount,
  /** Requests to AWS, by operation. */
  requests: z.record(z.string(), amount),
  /** Write request units of DynamoDB. */
  writeUnits: amount,
  /** Read request units of DynamoDB. */
  readUnits: amount,
  /** Bytes of the log lines, with the 26 that CloudWatch adds to each. */
  logBytes: amount,
  /** Milliseconds of a whole processor to load the function and to answer the first call. */
  coldCpuMs: amount,
  /** Peak of the resident memory of the process, in megabytes. */
  megabytes: amount,
});

export type MeasuredInvocation = Readonly<z.output<typeof invocation>>;

const functions = z.strictObject({
  /** A webhook. */
  receive: invocation,
  /** A batch of one webhook about a new order. */
  store: invocation,
  /** A batch of ten webhooks about ten new orders. */
  storeTen: invocation,
});

export const measuredUsage = z.strictObject({
  measuredBy: z.literal('npm run bench -- --part usage --save'),
  drawbridge: functions,
  /** Middy with Powertools, as `npm run bench` compares it. */
  reference: functions,
});

export type MeasuredUsage = Readonly<z.output<typeof measuredUsage>>;
export type MeasuredFunction = keyof MeasuredUsage['drawbridge'];

/** What `npm run bench -- --part usage --save` measured last. */
export function readMeasuredUsage(): MeasuredUsage {
  return measuredUsage.parse(keptUsage);
}
