import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';
import { createEvent } from './event-envelope.ts';
import { type NextRun, parseScheduleExpression } from './schedule-expression.ts';
import type { Targets } from './targets.ts';

export type Schedule = {
  readonly name: string;
  readonly expression: string;
  /** Runs the schedule now. Resolves when its targets have the event. */
  readonly runNow: () => Promise<void>;
};

export type Schedules = { readonly all: readonly Schedule[]; readonly close: () => void };

export type SchedulesDeps = {
  readonly place: Place;
  readonly targets: Pick<Targets, 'open'>;
  readonly newId: () => string;
  /** The real time: by it schedules are due. */
  readonly now: () => Date;
  /** What an event says that it is. */
  readonly eventTime: () => Date;
};

type Declared = {
  readonly name: string;
  readonly expression: string;
  readonly enabled: boolean;
  readonly nextRun: NextRun;
  readonly run: () => Promise<void>;
};

/** In milliseconds: a timer cannot wait longer than 2^31, so a distant schedule is checked again. */
const maxWaitMs = 60 * 60_000;

/** Runs the schedules of the stacks (EventBridge Scheduler, and rules with a schedule) when they are due. */
export function startSchedules(
  { schedules, rules }: Pick<Blueprint, 'schedules' | 'rules'>,
  { place, targets, newId, now, eventTime }: SchedulesDeps,
): Schedules {
  const startedAt = now();
  const scheduledEvent = (source: string, arn: string, detail: unknown) =>
    JSON.stringify(
      createEvent(
        { detailType: 'Scheduled Event', source, time: eventTime(), resources: [arn], detail },
        { place, newId },
      ),
    );

  const declared: readonly Declared[] = [
    ...schedules.map(({ name, path, arn, properties }) => {
      const { ScheduleExpression: expression, ScheduleExpressionTimezone: timezone, State, Target } = properties;
      const send = targets.open(Target, { attribute: 'SCHEDULE_ARN', arn }, path);
      return {
        name,
        expression,
        enabled: State === 'ENABLED',
        nextRun: parseScheduleExpression(expression, timezone, startedAt),
        // Its detail is text: so EventBridge Scheduler writes it.
        run: () => send(scheduledEvent('aws.scheduler', arn, '{}')),
      };
    }),
    ...rules.flatMap(({ name, path, arn, properties }) => {
      const { ScheduleExpression: expression, State, Targets } = properties;
      if (expression === undefined) return [];
      const sends = Targets.map((target) => targets.open(target, { attribute: 'RULE_ARN', arn }, path));
      return {
        name,
        expression,
        enabled: State === 'ENABLED',
        nextRun: parseScheduleExpression(expression, 'UTC', startedAt),
        run: async () => {
          await Promise.all(sends.map((send) => send(scheduledEvent('aws.events', arn, {}))));
        },
      };
    }),
  ];

  const timers = new Map<Declared, NodeJS.Timeout>();
  function wait(schedule: Declared, after: Date): void {
    const due = schedule.nextRun(after);
    if (due === undefined) return;
    const left = due.getTime() - now().getTime();
    const timer = setTimeout(
      () => {
        if (left > maxWaitMs) return wait(schedule, now());
        // What cannot even reach its dead-letter queue is dropped: the host is ending.
        schedule.run().catch(() => undefined);
        // A timer may fire a little early: the same time is not due twice.
        wait(schedule, now() < due ? due : now());
      },
      Math.min(left, maxWaitMs),
    );
    timers.set(schedule, timer);
  }
  for (const schedule of declared) if (schedule.enabled) wait(schedule, startedAt);

  return {
    all: declared.map(({ name, expression, run }) => ({ name, expression, runNow: run })),
    close: () => {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
