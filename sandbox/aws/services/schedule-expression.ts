import { Cron } from 'croner';
import { SandboxError } from '#sandbox/errors.ts';

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
 * @throws {SandboxError} NOT_HOSTED for any other expression
 */
export function parseScheduleExpression(expression: string, timezone: string, startedAt: Date): NextRun {
  const [, kind, argument = ''] = /^(rate|cron|at)\((.+)\)$/.exec(expression) ?? [];
  const nextRun = kind === 'rate' ? parseRate(argument, startedAt) : parseTimes(kind, argument, timezone, startedAt);
  if (nextRun !== undefined) return nextRun;
  throw new SandboxError('NOT_HOSTED', `The sandbox does not know the schedule ${expression} (time zone ${timezone}).`);
}

function parseRate(rate: string, startedAt: Date): NextRun | undefined {
  const [, count = '', unit = ''] = /^([1-9]\d*) (minute|hour|day)s?$/.exec(rate) ?? [];
  const minutes = minutesOf.get(unit);
  if (minutes === undefined) return undefined;
  const period = Number(count) * minutes * 60_000;
  const start = startedAt.getTime();
  return (after) => new Date(start + (Math.floor((after.getTime() - start) / period) + 1) * period);
}

function parseTimes(
  kind: string | undefined,
  argument: string,
  timezone: string,
  startedAt: Date,
): NextRun | undefined {
  const isKnown = kind === 'at' ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(argument) : hasAwsFields(argument);
  if (!isKnown) return undefined;
  try {
    const cron = new Cron(kind === 'at' ? argument : toCroner(argument), {
      timezone,
      paused: true,
      // As Quartz does, AWS counts weekdays from Sunday = 1, and takes 0/15 for every 15 from 0.
      alternativeWeekdays: true,
      sloppyRanges: true,
    });
    cron.nextRun(startedAt);
    return (after) => cron.nextRun(after) ?? undefined;
  } catch {
    return undefined;
  }
}

/** AWS wants six fields, minute to year, and a question mark for either the day of the month or that of the week. */
function hasAwsFields(cron: string): boolean {
  const [, , dayOfMonth, , dayOfWeek, year, ...more] = cron.split(' ');
  return year !== undefined && more.length === 0 && (dayOfMonth === '?') !== (dayOfWeek === '?');
}

/** croner's fields begin with the second. */
function toCroner(fields: string): string {
  return `0 ${fields}`;
}
