import { createLog, type Log } from '#shared/lambda/log.ts';
import { createMetrics, type Metrics } from '#shared/lambda/metrics.ts';

/** The real log and the real metrics, whose lines stay in the test. */
export type WrittenLines = {
  readonly log: Log;
  readonly metrics: Metrics;
  /** All that was written, as it was written. */
  readonly text: () => string;
  /** Each line, parsed. */
  readonly objects: () => readonly Readonly<Record<string, unknown>>[];
};

export function captureLines(
  now: () => Date = () => new Date('2026-01-02T03:04:05.678Z'),
  environment = 'trial',
): WrittenLines {
  const lines: string[] = [];
  const write = (line: string) => {
    lines.push(line);
  };
  return {
    log: createLog({ write, now }),
    metrics: createMetrics({ write, now, environment }),
    text: () => lines.join(''),
    objects: () => lines.map((line) => JSON.parse(line)),
  };
}
