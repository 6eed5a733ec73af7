import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '#sandbox/platform/core/clock.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { followSchedules } from '#sandbox/scenario/common/schedules.ts';

describe('sandbox scenario: followSchedules', () => {
  it("runs each schedule by the platform's time, and once when it was due several times", async () => {
    const clock = createVirtualClock({
      now: () => new Date(),
      frozenAt: new Date('2026-11-21T08:00:00Z'),
      onError: (error) => expect.unreachable(String(error)),
    });
    const runs: string[] = [];
    const schedule = (name: string, expression: string) => ({
      name,
      expression,
      runNow: async () => {
        runs.push(`${name} ${clock.now().toISOString().slice(11, 16)}`);
      },
    });
    const all = [schedule('drain-runs', 'rate(5 minutes)'), schedule('reconcile-runs', 'rate(1 hour)')];
    const runDue = followSchedules({ host: { schedules: { all } }, platform: { clock } } as unknown as Sandbox);
    for (const minutes of [4, 1, 4, 1, 50, 1]) {
      await clock.advance(minutes * 60);
      await runDue();
    }
    expect(runs).toEqual(['drain-runs 08:05', 'drain-runs 08:10', 'drain-runs 09:00', 'reconcile-runs 09:00']);
    clock.close();
  });
});
