import type { DueEntities, LiveEntity } from '#shared/entities/due-entities.ts';
import type { DetectDrift } from './detect-drift.ts';
import { afterScan, type CheckResult } from './reconcile-progress.ts';
import type { RecordChecked, Run } from './record-checked.ts';

export type TableScanDeps = {
  readonly dueEntities: Pick<DueEntities, 'listUnplaced'>;
  readonly driftChecks: DetectDrift;
  readonly recordChecked: RecordChecked['recordChecked'];
  readonly now: () => Date;
};

/** The share of a repair for the scan, until the list of persons is read to its end. */
const scanShare = 0.25;

/** Items of a segment between two checkpoints, those of timelines included. */
const segmentPageSize = 500;

/**
 * Reads the table of entities, in parallel segments. A repair gives each entity that 0.2.0 wrote its place in the index of due entities;
 * a report checks it. The scan ends once the index has all entities.
 */
export function createTableScan({ dueEntities, driftChecks, recordChecked, now }: TableScanDeps) {
  /** @param isShared whether the scan leaves time for what is due and for the lists */
  return async (run: Run, { isShared }: { readonly isShared: boolean }): Promise<void> => {
    const { journal, repairs, limitMs } = run;
    const until = now().getTime() + limitMs * scanShare;
    while (journal.progress.fill?.begunOn !== undefined) {
      const { segments } = journal.progress.fill;
      const { items, next } = await dueEntities.listUnplaced({ from: segments, most: segmentPageSize });
      const checked = repairs
        ? { checked: [], findings: [], places: driftChecks.placesOf(items) }
        : await checkUnplaced(run, items);
      await recordChecked(run, checked, (progress) => afterScan(progress, next, now()));
      if (isShared && now().getTime() >= until) return;
    }
  };

  async function checkUnplaced({ ask, stop }: Run, items: readonly LiveEntity[]): Promise<CheckResult> {
    const places = driftChecks.placesOf(items);
    const due = places.filter(({ to }) => to?.lane === 'open' || to?.lane === 'marked');
    return driftChecks.checkDue(
      due.map(({ entity }) => entity.key),
      ask,
      stop,
    );
  }
}
