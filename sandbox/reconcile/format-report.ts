import { formatTable } from '#sandbox/table.ts';
import { type Gap, type GapCounts, type GapReport, hasDrifted } from '#shared/gap-report.ts';

const columns: readonly (keyof GapCounts)[] = [
  'lookedAt',
  'drifted',
  'repaired',
  'readBack',
  'stale',
  'gone',
  'unanswered',
];

const titles: Readonly<Record<keyof GapCounts, string>> = {
  lookedAt: 'looked at',
  drifted: 'drifted',
  repaired: 'repaired',
  readBack: 'to be read back',
  stale: 'stale',
  gone: 'gone',
  unanswered: 'unanswered',
};

/** The gap report for a terminal. */
export function formatReport(report: GapReport): string {
  const { counts, gaps, furtherGaps, onboardingsDue, oldestStale } = report;
  const rows = Object.entries(counts).map(([kind, ofKind]) => [kind, ...columns.map((column) => ofKind[column])]);
  return [
    formatTable(['kind', ...columns.map((column) => titles[column])], rows),
    ...(gaps.length > 0
      ? ['', formatTable(['gap', 'kind', 'id', 'what differs', 'ours', 'the platform'], gaps.map(toRow))]
      : []),
    ...(furtherGaps > 0 ? [`… and ${furtherGaps} more, which are counted above.`] : []),
    ...(oldestStale === undefined
      ? []
      : ['', `The last news of what has been waiting the longest came ${oldestStale}.`]),
    ...(onboardingsDue > 0 ? ['', `${onboardingsDue} onboardings have waited for too long.`] : []),
    '',
    verdict(report),
  ].join('\n');
}

function toRow({ what, kind, id, differed = [], status = '–', platformStatus = '–' }: Gap): readonly string[] {
  return [what, kind, id, differed.join(', ') || '–', status, platformStatus];
}

function verdict(report: GapReport): string {
  if (report.outcome === 'another run is at work')
    return 'Another run is at work, and goes on with this: ask again in some minutes.';
  const unknown = Object.values(report.counts).reduce((sum, { stale, unanswered }) => sum + stale + unanswered, 0);
  if (!hasDrifted(report))
    return unknown === 0
      ? 'Entities are as the platform has them.'
      : `None is known to have drifted. Of ${unknown} that are stale or unanswered it could not be found out.`;
  return report.mode === 'report'
    ? 'Entities have drifted: run it without --report, or wait for the schedule, to have them repaired.'
    : 'Entities had drifted: they are handed to store, which repairs them.';
}
