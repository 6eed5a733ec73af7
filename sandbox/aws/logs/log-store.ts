import * as z from 'zod';
import { parseJson } from '#shared/parse-json.ts';

/** A line of a log group. */
export type LogLine = {
  readonly group: string;
  readonly at: number;
  readonly text: string;
};

export type LogStore = {
  readonly add: (group: string, text: string) => void;
  /** The lines of these log groups, in the order in which they came. Times are inclusive, in milliseconds since 1970. */
  readonly read: (groups: readonly string[], from: number, to: number) => readonly LogLine[];
};

export type LogStoreDeps = {
  readonly now: () => Date;
  /** Older lines go: the laptop keeps its log in memory, and `functions.log` has all lines of the functions. */
  readonly maxLines?: number | undefined;
};

/** Lambda and Drawbridge name the time of a line differently. */
const timed = z.union([
  z.looseObject({ timestamp: z.iso.datetime() }).transform(({ timestamp }) => timestamp),
  z.looseObject({ time: z.iso.datetime() }).transform(({ time }) => time),
]);

/** The latest lines of the functions and of the access log. */
export function createLogStore({ now, maxLines = 100_000 }: LogStoreDeps): LogStore {
  let lines: LogLine[] = [];
  return {
    add: (group, text) => {
      const { data: time } = timed.safeParse(parseJson(text));
      lines.push({ group, at: time === undefined ? now().getTime() : Date.parse(time), text });
      // Dropped in portions, because each drop copies the rest.
      if (lines.length > 1.1 * maxLines) lines = lines.slice(-maxLines);
    },
    read: (groups, from, to) => lines.filter(({ group, at }) => groups.includes(group) && at >= from && at <= to),
  };
}
