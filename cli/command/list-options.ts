import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { count, dateTime } from '#sandbox/terminal/command-line.ts';
import type { CommandDeps } from './command-deps.ts';

/** The options that every list takes, parsed. */
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

/** In milliseconds, of a time before now such as `90m`, `2h` or `7d`; undefined for another text. */
function agoOf(text: string | undefined): number | undefined {
  const [, number, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text ?? '') ?? [];
  return number === undefined ? undefined : Number(number) * (units[unit] ?? 0);
}

/**
 * Parses an option that is a time, or a time before now: `resolveMoments` says when that is.
 *
 * @returns ISO 8601, or what was given
 * @throws {InvalidArgumentError}
 */
export function moment(text: string): string {
  if (agoOf(text) !== undefined) return text;
  try {
    return dateTime(text).toISOString();
  } catch {
    throw new InvalidArgumentError('The value must be a time such as 2026-01-31T08:00:00Z, or 2h for two hours ago.');
  }
}

const moments = ['from', 'to', 'since', 'until'] as const;

type Moments = Readonly<Partial<Record<(typeof moments)[number], string | undefined>>>;

/** Replaces the times before now by ISO 8601, by the clock of the deployment: that of the sandbox can be ahead. @throws {CommandError} */
export async function resolveMoments<Options extends Moments>(
  options: Options,
  deployment: Pick<Deployment, 'control'>,
  deps: Pick<CommandDeps, 'fetch' | 'now'>,
): Promise<Options> {
  const given = moments.flatMap((name) => {
    const ago = agoOf(options[name]);
    return ago === undefined ? [] : [{ name, ago }];
  });
  if (given.length === 0) return options;
  const now = (await readClock(deployment, deps)).getTime();
  return { ...options, ...Object.fromEntries(given.map(({ name, ago }) => [name, new Date(now - ago).toISOString()])) };
}
