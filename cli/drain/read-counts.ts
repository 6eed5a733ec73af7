import * as z from 'zod';
import { parseJson } from '#shared/parse-json.ts';

/** What a run of Drain did with undelivered webhooks. */
export type DrainCounts = {
  readonly found: number;
  readonly stored: number;
  readonly quarantined: number;
  readonly marked: number;
};

/** A count that the function did not write is 0. */
const counted = z.number().default(0);

/** A line of the embedded metric format. */
const metrics = z.object({
  _aws: z.object({}),
  UndeliveredFound: counted,
  UndeliveredDrained: counted,
  UndeliveredQuarantined: counted,
  UndeliveredMarked: counted,
});

/**
 * Adds up the counts in the log of a run. Lambda returns the last 4 KiB of a log. A run of more than 100 calls of the platform
 * writes its counts in several lines, of which the first can be missing.
 *
 * @returns undefined if the log has no counts
 */
export function readDrainCounts(log: readonly string[]): DrainCounts | undefined {
  const lines = log.flatMap((line) => metrics.safeParse(parseJson(line)).data ?? []);
  if (lines.length === 0) return undefined;
  const sum = (value: (line: z.infer<typeof metrics>) => number) =>
    lines.reduce((total, line) => total + value(line), 0);
  return {
    found: sum((line) => line.UndeliveredFound),
    stored: sum((line) => line.UndeliveredDrained),
    quarantined: sum((line) => line.UndeliveredQuarantined),
    marked: sum((line) => line.UndeliveredMarked),
  };
}
