import { formatAge } from '#cli/output/format-age.ts';
import { formatColumns, formatFields } from '#cli/output/format-columns.ts';
import { shownMetrics } from './read-metrics.ts';
import type { Status } from './read-status.ts';

/** One screen for people. */
export function formatStatus({
  environment,
  version,
  queues,
  onboardings,
  quarantined,
  metrics,
  alarms,
}: Status): string {
  const queueRows = queues.map(({ name, waiting, inFlight, delayed, oldestSeconds }) => [
    name,
    waiting,
    inFlight,
    delayed,
    oldestSeconds === null ? undefined : formatAge(oldestSeconds),
  ]);
  const stepRows = onboardings.map(({ step, count, more }) => [step, more ? `${count}+` : count]);
  return [
    formatFields([
      ['environment', environment],
      ['version', version],
      ['alarms that are on', alarms.length === 0 ? 'none' : alarms.map(({ name }) => name).join(', ')],
      ['quarantined', quarantined],
      ...shownMetrics.map(({ metric, title }) => [title, metrics[metric] ?? 'not known'] as const),
    ]),
    formatColumns(['queue', 'waiting', 'in flight', 'delayed', 'oldest'], queueRows),
    stepRows.length === 0 ? 'No onboarding is open.' : formatColumns(['open onboardings', 'count'], stepRows),
  ].join('\n\n');
}
