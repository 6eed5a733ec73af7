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
