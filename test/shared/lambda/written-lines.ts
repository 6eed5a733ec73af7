import { createLog, type Log } from '#shared/lambda/log.ts';
import { createMetrics, type FunctionVersion, type Metrics } from '#shared/lambda/metrics.ts';

/** The real log and the real metrics, whose lines stay in the test. */
export type WrittenLines = {
  readonly log: Log;
  readonly metrics: Metrics;
  /** All that was written, as it was written. */
  readonly text: () => string;
  /** Each line, parsed. */
  readonly objects: () => readonly Readonly<Record<string, unknown>>[];
  /** What was counted, measured and timed since the last flush, by name; nothing if nothing was. */
  readonly flushed: () => Readonly<Record<string, unknown>>;
  /** The same without the durations of calls of the platform. */
  readonly counted: () => Readonly<Record<string, unknown>>;
};

export function captureLines(
  now: () => Date = () => new Date('2026-01-02T03:04:05.678Z'),
  environment = 'trial',
  functionVersion?: FunctionVersion,
): WrittenLines {
  const lines: string[] = [];
  const write = (line: string) => {
    lines.push(line);
  };
  const metrics = createMetrics({ write, now, environment, functionVersion });
  const objects = (): readonly Readonly<Record<string, unknown>>[] => lines.map((line) => JSON.parse(line));
  const flushed = () => {
    const written = lines.length;
    metrics.flush();
    const { _aws, Environment: _environment, version: _version, ...values } = objects()[written] ?? {};
    return values;
  };
  return {
    log: createLog({ write, now }),
    metrics,
    text: () => lines.join(''),
    objects,
    flushed,
    counted: () => {
      const { PlatformCallDuration: _calls, ...counts } = flushed();
      return counts;
    },
  };
}
