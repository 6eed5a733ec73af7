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

export type Schedules = {
  readonly all: readonly Schedule[];
  /** When each enabled schedule is due next. */
  readonly dueTimes: () => readonly Date[];
  /** Runs the schedules that are due, each once. Resolves when their targets have the events. */
  readonly runDue: () => Promise<void>;
  readonly close: () => void;
};

export type SchedulesDeps = {
  readonly place: Place;
  readonly targets: Pick<Targets, 'open'>;
  readonly newId: () => string;
  /** The clock of the laptop. */
  readonly now: () => Date;
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

/** In milliseconds: how soon a schedule is checked again while the clock is stopped just before it is due. */
const minWaitMs = 100;

/** Runs the schedules of the stacks (EventBridge Scheduler, and rules with a schedule) when they are due. */
export function startSchedules(
  { schedules, rules }: Pick<Blueprint, 'schedules' | 'rules'>,
  { place, targets, newId, now }: SchedulesDeps,
): Schedules {
  const startedAt = now();
  const scheduledEvent = (source: string, arn: string, detail: unknown) =>
    JSON.stringify(
      createEvent({ detailType: 'Scheduled Event', source, time: now(), resources: [arn], detail }, { place, newId }),
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

  type Waiting = { readonly schedule: Declared; dueOn: Date | undefined; timer: NodeJS.Timeout | undefined };
  const waiting: readonly Waiting[] = declared
    .filter(({ enabled }) => enabled)
    .map((schedule) => ({ schedule, dueOn: schedule.nextRun(startedAt), timer: undefined }));

  function wait(one: Waiting): void {
    clearTimeout(one.timer);
    if (one.dueOn === undefined) return;
    const left = one.dueOn.getTime() - now().getTime();
    one.timer = setTimeout(() => ring(one), Math.min(Math.max(left, minWaitMs), maxWaitMs));
  }

  /** The clock may have been stopped, and a timer may fire a little early. */
  function ring(one: Waiting): void {
    if (one.dueOn !== undefined && one.dueOn <= now()) void run(one);
    else wait(one);
  }

  async function run(one: Waiting): Promise<void> {
    one.dueOn = one.schedule.nextRun(now());
    wait(one);
    // What cannot even reach its dead-letter queue is dropped: the host is ending.
    await one.schedule.run().catch(() => undefined);
  }

  waiting.forEach(wait);

  return {
    all: declared.map(({ name, expression, run: runNow }) => ({ name, expression, runNow })),
    dueTimes: () => waiting.flatMap(({ dueOn }) => dueOn ?? []),
    runDue: async () => {
      const time = now();
      await Promise.all(waiting.filter(({ dueOn }) => dueOn !== undefined && dueOn <= time).map(run));
    },
    close: () => {
      for (const { timer } of waiting) clearTimeout(timer);
    },
  };
}
