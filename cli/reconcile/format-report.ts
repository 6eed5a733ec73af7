import { exitCodes } from '#cli/command/exit-codes.ts';
import { formatColumns, type Width } from '#cli/output/format-columns.ts';
import { type Gap, type GapCounts, type GapReport, hasDrifted } from '#shared/bus/gap-report.ts';

const columns: readonly (keyof GapCounts)[] = [
  'checked',
  'drifted',
  'repaired',
  'readBack',
  'stale',
  'gone',
  'unanswered',
];

const titles: Readonly<Record<keyof GapCounts, string>> = {
  checked: 'checked',
  drifted: 'drifted',
  repaired: 'repaired',
  readBack: 'to be read back',
  stale: 'stale',
  gone: 'gone',
  unanswered: 'unanswered',
};

/** Formats a gap report for a terminal. */
export function formatReport(report: GapReport, width?: Width): string {
  const { counts, gaps, furtherGaps, oldestStale } = report;
  const rows = Object.entries(counts).map(([kind, ofKind]) => [kind, ...columns.map((column) => ofKind[column])]);
  return [
    formatColumns(['kind', ...columns.map((column) => titles[column])], rows, width),
    ...(gaps.length > 0
      ? ['', formatColumns(['gap', 'kind', 'id', 'what differs', 'ours', 'the platform'], gaps.map(toRow), width)]
      : []),
    ...(furtherGaps > 0 ? [`… and ${furtherGaps} more, included in the counts above.`] : []),
    ...(oldestStale === undefined ? [] : ['', `The oldest stale entity last changed on ${oldestStale}.`]),
    '',
    verdict(report),
  ].join('\n');
}

function toRow({ what, kind, id, differed = [], status = '–', platformStatus = '–' }: Gap): readonly string[] {
  return [what, kind, id, differed.join(', ') || '–', status, platformStatus];
}

function verdict(report: GapReport): string {
  if (report.outcome === 'another run is at work')
    return 'Another run of reconcile is in progress. Run this command again in a few minutes.';
  const unknown = Object.values(report.counts).reduce((sum, { stale, unanswered }) => sum + stale + unanswered, 0);
  if (!hasDrifted(report))
    return unknown === 0
      ? 'All entities match the platform.'
      : `No known drift. The state of ${unknown} stale or unanswered entities is unknown.`;
  return report.mode === 'report'
    ? 'Entities have drifted. To repair them, run drawbridge reconcile repair, or wait for its schedule.'
    : 'Entities had drifted. Store repairs them now.';
}

/** 2 where the report is not complete: it cannot say that nothing has drifted. */
export function exitCodeOf(report: GapReport): number {
  if (report.outcome !== 'complete') return exitCodes.failed;
  return hasDrifted(report) ? exitCodes.found : exitCodes.good;
}
