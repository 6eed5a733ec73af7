import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRejections, type RejectionReason, writeInterval } from '#functions/webhook-ingest/receive/receive.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, type FunctionVersion } from '#shared/lambda/metrics.ts';

const start = Date.parse('2026-01-02T03:04:05.678Z');

/** Rejections of one process, at times that the test sets. */
function rejectionsAt(functionVersion?: FunctionVersion) {
  let time = start;
  const lines: Record<string, unknown>[] = [];
  const deps = { write: (line: string) => void lines.push(JSON.parse(line)), now: () => new Date(time) };
  const metrics = createMetrics({ ...deps, environment: 'trial', functionVersion });
  const rejections = createRejections({ log: createLog(deps), metrics, now: deps.now });
  /** As the handler of receive does after each request. */
  const endRequest = () => {
    rejections.writeIfDue();
    metrics.flush();
  };
  const sum = (name: string) => lines.reduce((total, line) => total + Number(line[name] ?? 0), 0);
  return {
    lines,
    sum,
    reject: (reason: RejectionReason, after = 0) => {
      time += after;
      rejections.add(reason);
      endRequest();
    },
    accept: (after: number) => {
      time += after;
      endRequest();
    },
  };
}

describe('the log of rejected webhooks', () => {
  it('is written immediately when no rejection came before', () => {
    const { lines, reject } = rejectionsAt();
    reject('NO_SECRET');
    expect(lines).toMatchObject([
      { level: 'WARN', message: 'webhooks rejected', reason: 'NO_SECRET', count: 1 },
      { DeliveriesUnauthorized: 1 },
    ]);
  });

  it('has one line a reason and one of metrics, however many rejections ten seconds have', () => {
    const { lines, reject } = rejectionsAt();
    for (let number = 0; number < 2_000; number += 1) reject(number % 2 === 0 ? 'NO_SECRET' : 'WRONG_SECRET', 5);
    reject('SOURCE_OUT_OF_RANGE', writeInterval);
    expect(lines.length).toBe(2 + 4);
    expect(lines.at(-1)).toMatchObject({ DeliveriesUnauthorized: 1_999, DeliveriesOutOfRange: 1 });
  });

  it('is written by the next accepted webhook as well', () => {
    const { reject, accept, sum } = rejectionsAt();
    reject('WRONG_SECRET');
    reject('WRONG_SECRET', 1);
    accept(writeInterval - 2);
    expect(sum('DeliveriesUnauthorized')).toBe(1);
    accept(1);
    expect(sum('DeliveriesUnauthorized')).toBe(2);
  });

  it('counts in no version of receive, so that strangers stop no canary', () => {
    const { reject, sum } = rejectionsAt({ FunctionName: 'receive', ExecutedVersion: '2' });
    reject('WRONG_SECRET');
    reject('NO_SECRET', writeInterval);
    expect([sum('DeliveriesUnauthorized'), sum('FirstAttemptsFailed')]).toEqual([2, 0]);
  });

  it('has no line while webhooks are accepted', () => {
    const { lines, accept } = rejectionsAt();
    for (let number = 0; number < 100; number += 1) accept(writeInterval);
    expect(lines).toEqual([]);
  });

  it('leaves no rejection uncounted but those of the last ten seconds', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3 * writeInterval }), { maxLength: 50 });
    fc.assert(
      fc.property(gaps, (waits) => {
        const { reject, sum } = rejectionsAt();
        let time = 0;
        const times = waits.map((wait) => {
          reject('WRONG_SECRET', wait);
          time += wait;
          return time;
        });
        const settled = times.filter((rejectedAt) => rejectedAt <= time - writeInterval).length;
        expect(sum('DeliveriesUnauthorized')).toBeGreaterThanOrEqual(settled);
        expect(sum('DeliveriesUnauthorized')).toBeLessThanOrEqual(times.length);
      }),
    );
  });

  it('counts each rejection immediately when they come less often than every ten seconds, as the alarm on a failed rotation needs', () => {
    const { lines, reject } = rejectionsAt();
    for (let number = 0; number < 45; number += 1) reject('WRONG_SECRET', 20_000);
    expect(lines.filter((line) => 'DeliveriesUnauthorized' in line)).toHaveLength(45);
  });
});
