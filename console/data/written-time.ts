/** How many milliseconds a letter after a number stands for. */
const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A day, a time of day, or both. */
const written = /^(?=.)(?:(\d{4}-\d\d-\d\d)(?:[T ]|$))?(?:(\d\d?:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/** The day in the zone of this machine: `2026-01-31`. */
const dayOf = (time: Date) => time.toLocaleDateString('sv-SE');

/**
 * Reads a time as an operator writes it: `2h` ago, `14:30` today, a day, a day and a time. Without a zone it is in that
 * of this machine.
 *
 * @param now in milliseconds
 * @returns ISO 8601 in UTC, an empty text for an empty text, and undefined for what is not a time
 */
export function readTime(text: string, now: number): string | undefined {
  const words = text.trim();
  if (words === '') return '';
  const [, number, unit = ''] = /^(\d{1,5})([mhd])$/.exec(words) ?? [];
  if (number !== undefined) return new Date(now - Number(number) * (units[unit] ?? 0)).toISOString();
  const found = written.exec(words);
  if (found === null) return undefined;
  const [, day = dayOf(new Date(now)), clock = '00:00', zone = ''] = found;
  const time = new Date(`${day}T${/^\d:/.test(clock) ? `0${clock}` : clock}${zone}`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Writes a time as `readTime` reads it, in the zone of this machine. A text that is not a time stays as it is. */
export function writeTime(text: string): string {
  const time = new Date(text);
  if (text === '' || Number.isNaN(time.getTime())) return text;
  return `${dayOf(time)} ${time.toLocaleTimeString('en-GB')}`;
}

/**
 * A moment as every page shows it, in the zone of this machine: `14:30:00` today, `31 Jan 14:30:00` on another day, and with the year in
 * another year.
 *
 * @param today as `toDateString` writes a day
 */
export function writeMoment(date: Date, today: string): string {
  const clock = date.toLocaleTimeString('en-GB', { hour12: false });
  return date.toDateString() === today ? clock : `${writeDay(date, today)} ${clock}`;
}

function writeDay(date: Date, today: string): string {
  const isYear = date.getFullYear() === new Date(today).getFullYear();
  const day = { day: '2-digit', month: 'short', ...(!isYear && ({ year: 'numeric' } as const)) } as const;
  return date.toLocaleDateString('en-GB', day);
}

/**
 * The day of a row, if the row before it is of another day; undefined if it is the same, and for the first row of a list if that is of today.
 *
 * @param before of the row before, and `at` of the row: ISO 8601
 * @param today as `toDateString` writes a day
 */
export function dayBetween(before: string | undefined, at: string | undefined, today: string): string | undefined {
  if (at === undefined) return undefined;
  const date = new Date(at);
  const dayBefore = before === undefined ? today : new Date(before).toDateString();
  return date.toDateString() === dayBefore ? undefined : writeDay(date, today);
}
