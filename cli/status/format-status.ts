import { shortName } from '#cli/alarms/list-alarms.ts';
import { formatAge } from '#cli/output/format-age.ts';
import { formatColumns, formatFields, type Width } from '#cli/output/format-columns.ts';
import { wrapText } from '#cli/output/wrap-text.ts';
import { describeOutage } from './platform-outage.ts';
import { shownMetrics } from './read-metrics.ts';
import type { QueueWithAge } from './read-queues-with-ages.ts';
import type { Status, StepCount } from './read-status.ts';

const notKnown = 'not known';

/** One screen for people. */
export function formatStatus(
  {
    environment,
    version,
    queues,
    onboardings,
    quarantined,
    hasMoreQuarantined,
    metrics,
    alarms,
    unavailable,
    outage,
  }: Status,
  now: Date,
  width: Width = undefined,
): string {
  const wrap = (lines: readonly string[]) =>
    lines.map((line) => wrapText(line, { width: width ?? Number.POSITIVE_INFINITY })).join('\n');
  const { title, details } = outage ? describeOutage(outage, now) : { title: undefined, details: [] };
  return [
    ...(title === undefined ? [] : [wrap([title, ...details])]),
    formatFields(
      [
        ['environment', environment],
        ['version', version],
        [
          'alarms that are on',
          alarms === null ? notKnown : alarms.map(({ name }) => shortName(name)).join(', ') || 'none',
        ],
        ['quarantined', quarantined === null ? notKnown : `${quarantined}${hasMoreQuarantined ? '+' : ''}`],
        ...shownMetrics.map((shown) => [shown.title, metrics?.[shown.metric] ?? notKnown] as const),
      ],
      width,
    ),
    queues === null ? 'The queues are not known.' : formatQueues(queues, width),
    onboardings === null ? 'The open onboardings are not known.' : formatOnboardings(onboardings, width),
    ...[...Map.groupBy(unavailable, ({ reason }) => reason)].map(([reason, parts]) =>
      wrap(`Not known: ${parts.map(({ part }) => part).join(', ')}. ${reason}`.split('\n')),
    ),
  ].join('\n\n');
}

function formatQueues(queues: readonly QueueWithAge[], width: Width): string {
  const rows = queues.map(({ name, waiting, inFlight, delayed, oldestSeconds }) => [
    ...[name, waiting, inFlight, delayed],
    oldestSeconds === null ? undefined : formatAge(oldestSeconds),
  ]);
  return formatColumns(['queue', 'waiting', 'in flight', 'delayed', 'oldest'], rows, width);
}

function formatOnboardings(onboardings: readonly StepCount[], width: Width): string {
  if (onboardings.length === 0) return 'No onboarding is open.';
  const rows = onboardings.map(({ step, count, more }) => [step, more ? `${count}+` : count]);
  return formatColumns(['open onboardings', 'count'], rows, width);
}

/** Of a line of the screen: what needs an operator is bad. */
export function toneOfLine(line: string): 'bad' | undefined {
  const isBad =
    /^(?:The platform |Every call to the platform |Not known: |alarms that are on +(?!none$)\S|quarantined +[1-9]|undelivered, not stored yet +[1-9]|\w+Dlq +[1-9])/.test(
      line,
    );
  return isBad ? 'bad' : undefined;
}
