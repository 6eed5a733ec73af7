import { Cron } from 'croner';
import { HostingError } from './hosting-error.ts';

const minutesOf: ReadonlyMap<string, number> = new Map([
  ['minute', 1],
  ['hour', 60],
  ['day', 24 * 60],
]);

/** When a schedule is due next: the moments after the time given. Undefined once there is none any more. */
export type NextRun = (after: Date) => Date | undefined;

/**
 * Reads `rate(5 minutes)`, `cron(0 8 * * ? *)` or `at(2026-11-21T08:00:00)`, as EventBridge writes them.
 *
 * @param timezone IANA name; for cron and at
 * @param startedAt a rate counts from here
 * @throws {HostingError} for any other expression
 */
export function parseScheduleExpression(expression: string, timezone: string, startedAt: Date): NextRun {
  const [, kind, argument = ''] = /^(rate|cron|at)\((.+)\)$/.exec(expression) ?? [];
  const nextRun =
    kind === 'rate'
      ? parseRate(argument, startedAt)
      : parseCron(kind === 'at' ? argument : toCroner(argument), timezone);
  if (kind === undefined || nextRun === undefined)
    throw new HostingError(`The sandbox does not know the schedule ${expression}.`);
  return nextRun;
}

function parseRate(rate: string, startedAt: Date): NextRun | undefined {
  const [, count = '', unit = ''] = /^([1-9]\d*) (minute|hour|day)s?$/.exec(rate) ?? [];
  const minutes = minutesOf.get(unit);
  if (minutes === undefined) return undefined;
  const period = Number(count) * minutes * 60_000;
  const start = startedAt.getTime();
  return (after) => new Date(start + (Math.floor((after.getTime() - start) / period) + 1) * period);
}

function parseCron(pattern: string, timezone: string): NextRun | undefined {
  try {
    // AWS counts weekdays from Sunday = 1, as Quartz does.
    const cron = new Cron(pattern, { timezone, paused: true, alternativeWeekdays: true, domAndDow: true });
    return (after) => cron.nextRun(after) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The fields of AWS are minute to year; croner's begin with the second. */
function toCroner(fields: string): string {
  return `0 ${fields}`;
}
