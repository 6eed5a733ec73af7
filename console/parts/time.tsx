import { useEffect, useState } from 'preact/hooks';
import { clockDay, liveOverview } from '#console/data/live.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { writeMoment } from '#console/data/written-time.ts';

/** By the clock of the deployment: that of the sandbox can be ahead. */
export function clockNow(): number {
  const overview = liveOverview.get();
  return overview === undefined ? Date.now() : Math.max(Date.parse(overview.now), Date.now() - 24 * 60 * 60_000);
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `5 min` or `3 d`. */
export function durationOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** Shows a part again every few seconds, because its ages grow. */
export function useTicks(isTicking = true): void {
  const [, setRound] = useState(0);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setRound((round) => round + 1), 5_000);
    return () => clearInterval(timer);
  }, [isTicking]);
}

/** The time zone of this browser, as every page shows times: `UTC`, `CET`, `GMT-5`. */
export function zoneOf(at: Date): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'local time';
}

export type TimeProps = {
  /** ISO 8601. */
  readonly at: string | undefined;
  readonly isAge?: boolean;
  /** Whether the zone follows, if nothing beside the time says it. */
  readonly hasZone?: boolean;
};

/** The time of day, with the date if that is another day. The title has both, in UTC. */
export function Time({ at, isAge = false, hasZone = false }: TimeProps) {
  useTicks(isAge);
  const today = useSharedValue(clockDay);
  if (at === undefined) return <span class="none">–</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${date.toISOString()}`}>
      {isAge
        ? `${durationOf(clockNow() - date.getTime())} ago`
        : `${writeMoment(date, today)}${hasZone ? ` ${zoneOf(date)}` : ''}`}
    </time>
  );
}

/** Each time in ISO 8601 of a text as the pages show times. */
export function withTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z/g, timeText);
}

/** The same where only text can stand. @param at ISO 8601 */
export function timeText(at: string): string {
  return writeMoment(new Date(at), clockDay.get());
}
