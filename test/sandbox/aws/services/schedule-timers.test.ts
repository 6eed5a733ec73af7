import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Schedules, startSchedules } from '#sandbox/aws/services/schedules.ts';
import type { Send } from '#sandbox/aws/services/targets.ts';
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

const record: Send = async () => {
  runs.push(clock.toISOString().slice(11, 19));
};

type Declared = { readonly name: string; readonly expression: string; readonly state?: string };

function start(declared: readonly Declared[], send = record): Schedules {
  const resources = declared.map(({ name, expression, state = 'ENABLED' }) => {
    const properties = { State: state, FlexibleTimeWindow: { Mode: 'OFF' }, Target: { Arn: 'arn' } };
    const schedule = { ...properties, ScheduleExpression: expression };
    return [name, resourceAt(`stack/${name}`, 'AWS::Scheduler::Schedule', schedule)] as const;
  });
  const rule = { ScheduleExpression: 'rate(10 minutes)', Targets: [{ Id: 'Target', Arn: 'arn' }] };
  const blueprint = readResources({
    ...Object.fromEntries(resources),
    ...(declared.length === 0 && { Rule: resourceAt('stack/Rule', 'AWS::Events::Rule', rule) }),
  });
  const deps = { place, targets: { open: () => send }, newId: () => 'id', now: () => clock, eventTime: () => clock };
  schedules = startSchedules(blueprint, deps);
  return schedules;
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
    start([{ name: 'Often', expression: 'rate(5 minutes)' }]);
    await pass(16);
    expect(runs).toEqual(['02:05:00', '02:10:00', '02:15:00']);
  });

  it("waits beyond the range of Node's timers", async () => {
    start([{ name: 'Later', expression: 'at(2026-11-21T05:30:00)' }]);
    await pass(4 * 60);
    expect(runs).toEqual(['05:30:00']);
  });

  it('runs once when its timer fires slightly early', async () => {
    start([{ name: 'Often', expression: 'rate(1 minute)' }]);
    clock = new Date('2026-11-21T02:00:59.999Z');
    await vi.advanceTimersByTimeAsync(60_000);
    clock = new Date('2026-11-21T02:01:00.500Z');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toHaveLength(1);
  });

  it('runs once after the machine has slept over several due times', async () => {
    start([{ name: 'Often', expression: 'rate(1 minute)' }]);
    clock = new Date('2026-11-21T08:00:30Z');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toEqual(['08:00:30']);
    clock = new Date('2026-11-21T08:01:00Z');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(runs).toEqual(['08:00:30', '08:01:00']);
  });
});
