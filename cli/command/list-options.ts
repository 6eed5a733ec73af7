import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { count, dateTime } from '#sandbox/terminal/command-line.ts';

/** The options that every list takes, parsed. Times are ISO 8601. */
export const listOptions = {
  limit: z.number(),
  from: z.string().optional(),
  to: z.string().optional(),
};

/** Adds `--exit-code`: a list that worked ends with 0, unless a script asks otherwise. */
export function addExitCodeOption(command: Command): Command {
  return command.option('--exit-code', 'exit with 1 where something is found, for scripts', false);
}

/** Adds `--from`, `--to` and `--limit`. @param what the time that is filtered, such as `received` */
export function addListOptions(command: Command, what: string): Command {
  return command
    .option('--from <time>', `only those ${what} at this time or later, such as 2026-01-31T08:00:00Z or 2h`, moment)
    .option('--to <time>', `only those ${what} at this time or earlier`, moment)
    .option('--limit <number>', 'the most items to list', count, 50);
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses an option that is a time, or a time before now such as `90m`, `2h` or `7d`. @throws {InvalidArgumentError} */
export function moment(text: string): string {
  const [, number, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (number !== undefined) return new Date(Date.now() - Number(number) * (units[unit] ?? 0)).toISOString();
  try {
    return dateTime(text).toISOString();
  } catch {
    throw new InvalidArgumentError('The value must be a time such as 2026-01-31T08:00:00Z, or 2h for two hours ago.');
  }
}
