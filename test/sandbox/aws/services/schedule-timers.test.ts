import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Schedules, startSchedules } from '#sandbox/aws/services/schedules.ts';
import { place, readResources, resourceAt } from '#test/sandbox/aws/stacks/written-assembly.ts';

const startedAt = new Date('2026-11-21T02:00:00Z');
/** What the clock says, apart from when timers fire. */
let clock: Date;
let runs: string[];
let schedules: Schedules | undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  clock = startedAt;
  runs = [];
});
afterEach(() => {
  schedules?.close();
  vi.useRealTimers();
});

/** Starts a schedule whose runs are recorded. */
function start(ScheduleExpression: string): void {
  const properties = { ScheduleExpression, FlexibleTimeWindow: { Mode: 'OFF' }, Target: { Arn: 'arn' } };
  const blueprint = readResources({ S: resourceAt('stack/S', 'AWS::Scheduler::Schedule', properties) });
  const send = async () => void runs.push(clock.toISOString().slice(11, 19));
  schedules = startSchedules(blueprint, {
    place,
    targets: { open: () => send },
    newId: () => 'id',
    now: () => clock,
  });
}

/** Lets time pass: the clock, and the timers with it. */
async function pass(minutes: number): Promise<void> {
  for (let seconds = 0; seconds < minutes * 60; seconds += 1) {
    clock = new Date(clock.getTime() + 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
  }
}

describe('sandbox aws: the timer of a schedule', () => {
  it('runs the schedule each time it is due', async () => {
    start('rate(5 minutes)');
    await pass(16);
    expect(runs).toEqual(['02:05:00', '02:10:00', '02:15:00']);
  });

  it("waits beyond the range of Node's timers", async () => {
    start('at(2026-11-21T05:30:00)');
    await pass(4 * 60);
    expect(runs).toEqual(['05:30:00']);
  });

  it('runs once when its timer fires slightly early', async () => {
    start('rate(1 minute)');
    clock = new Date('2026-11-21T02:00:59.999Z');
    await vi.advanceTimersByTimeAsync(60_000);
    clock = new Date('2026-11-21T02:01:00.500Z');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toHaveLength(1);
  });

  it('runs once after the machine has slept over several due times', async () => {
    start('rate(1 minute)');
    clock = new Date('2026-11-21T08:00:30Z');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toEqual(['08:00:30']);
    clock = new Date('2026-11-21T08:01:00Z');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(runs).toEqual(['08:00:30', '08:01:00']);
  });
});
