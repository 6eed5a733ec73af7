import { exitCodes } from '#cli/command/exit-codes.ts';
import { countOf } from '#cli/output/count-of.ts';
import { formatColumns, type Width } from '#cli/output/format-columns.ts';
import { type Gap, type GapCounts, type GapReport, hasDriftedOrGone } from '#shared/api/reconcile-answers.ts';

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
  const unknown = sumOf(report, 'stale') + sumOf(report, 'unanswered');
  if (!hasDriftedOrGone(report))
    return unknown === 0
      ? 'No compared entity has drifted. Orders cannot be compared, and transfers are compared when they are due.'
      : `No known drift. The state of ${unknown} stale or unanswered entities is unknown.`;
  const drifted = sumOf(report, 'drifted');
  const ofDrifted =
    report.mode === 'report'
      ? `${countOf(drifted, 'entity has', 'entities have')} drifted. To repair what differs, run drawbridge reconcile repair, or wait for the schedule.`
      : `${countOf(drifted, 'entity', 'entities')} had drifted. Store now repairs what differs.`;
  return [...(drifted === 0 ? [] : [ofDrifted]), ...goneSentences(report)].join('\n');
}

/** How many entities of all kinds a column counts. */
export function sumOf({ counts }: Pick<GapReport, 'counts'>, column: keyof GapCounts): number {
  return Object.values(counts).reduce((sum, ofKind) => sum + ofKind[column], 0);
}

/** What no repair changes: a single text, or none if no entity is gone. */
export function goneSentences(report: Pick<GapReport, 'counts'>): readonly string[] {
  const gone = sumOf(report, 'gone');
  if (gone === 0) return [];
  return [
    `${countOf(gone, 'entity is', 'entities are')} gone from the platform. A repair cannot change this: ask the operator of the platform.`,
  ];
}

/** 2 if the report is not complete, or the platform answered for no entity: it cannot say that nothing has drifted or is gone. */
export function exitCodeOf(report: GapReport): number {
  if (report.outcome !== 'complete') return exitCodes.failed;
  if (hasDriftedOrGone(report)) return exitCodes.found;
  const unanswered = sumOf(report, 'unanswered');
  return unanswered > 0 && unanswered >= sumOf(report, 'checked') ? exitCodes.failed : exitCodes.good;
}
