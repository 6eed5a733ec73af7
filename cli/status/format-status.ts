import { formatAge } from '#cli/output/format-age.ts';
import { formatColumns, formatFields, type Width } from '#cli/output/format-columns.ts';
import { wrapText } from '#cli/output/wrap-text.ts';
import { describeOutage, type PlatformOutage } from './platform-outage.ts';
import { shownMetrics } from './read-metrics.ts';
import type { QueueWithAge } from './read-queues-with-ages.ts';
import type { Status, StepCount } from './read-status.ts';

const notKnown = 'not known';

/** One screen for people. */
export function formatStatus(
  { environment, version, queues, onboardings, quarantined, metrics, alarms, unavailable, outage }: Status,
  now: Date,
  width: Width = undefined,
): string {
  return [
    ...(outage ? [formatOutage(outage, now, width)] : []),
    formatFields([
      ['environment', environment],
      ['version', version],
      ['alarms that are on', alarms === null ? notKnown : alarms.map(({ name }) => name).join(', ') || 'none'],
      ['quarantined', quarantined ?? notKnown],
      ...shownMetrics.map((shown) => [shown.title, metrics?.[shown.metric] ?? notKnown] as const),
    ]),
    queues === null ? 'The queues are not known.' : formatQueues(queues),
    onboardings === null ? 'The open onboardings are not known.' : formatOnboardings(onboardings),
    ...[...Map.groupBy(unavailable, ({ reason }) => reason)].map(
      ([reason, parts]) => `Not known: ${parts.map(({ part }) => part).join(', ')}. ${reason}`,
    ),
  ].join('\n\n');
}

function formatOutage(outage: PlatformOutage, now: Date, width = Number.POSITIVE_INFINITY): string {
  const { title, details } = describeOutage(outage, now);
  return [title, ...details].map((line) => wrapText(line, { width })).join('\n');
}

function formatQueues(queues: readonly QueueWithAge[]): string {
  const rows = queues.map(({ name, waiting, inFlight, delayed, oldestSeconds }) => [
    ...[name, waiting, inFlight, delayed],
    oldestSeconds === null ? undefined : formatAge(oldestSeconds),
  ]);
  return formatColumns(['queue', 'waiting', 'in flight', 'delayed', 'oldest'], rows);
}

function formatOnboardings(onboardings: readonly StepCount[]): string {
  if (onboardings.length === 0) return 'No onboarding is open.';
  const rows = onboardings.map(({ step, count, more }) => [step, more ? `${count}+` : count]);
  return formatColumns(['open onboardings', 'count'], rows);
}
