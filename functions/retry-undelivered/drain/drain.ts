import { type Checkpoint, CheckpointConflictError, type Journal } from '#shared/aws/checkpoint.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { checkTrail } from '#shared/platform/client/cursor-trail.ts';
import { PlatformError, PlatformHttpError } from '#shared/platform/client/errors.ts';
import { raceAbort } from '#shared/platform/client/fetch.ts';
import { isUsableCursor } from '#shared/platform/client/page.ts';
import {
  listUndelivered,
  markWebhooksDelivered,
  readUndeliveredPage,
  type UndeliveredPage,
} from '#shared/platform/resources/undelivered-webhooks.ts';
import type { CommitRecord } from './commit-record.ts';
import {
  addPage,
  beginWalk,
  type DrainProgress,
  endMark,
  endWalk,
  follow,
  giveUpWalk,
  oldestToMark,
  type Place,
  raiseHorizon,
  recordFailedRun,
  type Walk,
  type WalkProgress,
} from './drain-progress.ts';

export type Pipeline = {
  /**
   * Adds work that has begun. `finish` gets its result once all that was added before is finished. Resolves when there is room for
   * more work.
   *
   * @throws the first failure of what was added before
   */
  readonly add: <Result>(work: Promise<Result>, finish: (result: Result) => Promise<void>) => Promise<void>;
  /** Resolves when all is finished. After a failure waits for the work under way. @throws the first failure */
  readonly end: () => Promise<void>;
};

/** Several pieces of work at the same time, which are finished in their order. After a failure nothing more is finished. */
export function createPipeline(maxUnderWay: number): Pipeline {
  let finished: Promise<void> = Promise.resolve();
  const underWay: { readonly work: Promise<unknown>; readonly finished: Promise<void> }[] = [];
  return {
    add: async (work, finish) => {
      finished = Promise.all([work, finished]).then(([result]) => finish(result));
      // It is awaited later.
      finished.catch(() => undefined);
      underWay.push({ work, finished });
      if (underWay.length >= maxUnderWay) await underWay.shift()?.finished;
    },
    end: async () => {
      await Promise.allSettled(underWay.map(({ work }) => work));
      await finished;
    },
  };
}

export type DrainDeps = {
  readonly client: PlatformClient;
  readonly checkpoint: Checkpoint<DrainProgress>;
  readonly commitRecord: CommitRecord;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** The platform does not take a cursor: of another day, or of a list that has changed. */
export class CursorRefusedError extends DrawbridgeError {
  override readonly name = 'CursorRefusedError';
}

/** The list ends with a full page without a cursor, and no page of it has one: records may follow that no request can reach. */
export class EndOfListError extends DrawbridgeError {
  override readonly name = 'EndOfListError';

  constructor(size: number) {
    super(
      `The list of undelivered webhooks ended after ${size} members, with a full page that has no pagination.cursor. More may follow, so nothing was marked. Run drawbridge doctor --platform, and ask the platform's support where the cursor of a page is.`,
    );
  }
}

/**
 * One run of the drain: walks the list of undelivered webhooks (section 2.2) from where the run before it stopped, stores
 * every record, and marks what may be marked once it has come to the end (`drain-progress.ts` says what may be).
 *
 * Any step can be repeated. Of runs that overlap the later one continues. It ends early, without an error, when it is asked to stop.
 *
 * @throws when the platform, DynamoDB or SQS fails: the next run continues from the last page that was stored
 */
export function createDrain({ client, checkpoint, commitRecord, now, log, metrics }: DrainDeps) {
  return async (stop: AbortSignal): Promise<void> => {
    try {
      await raceAbort(stop, () => drain(stop));
    } catch (error) {
      if (stop.aborted) log.info('drain paused at its time limit');
      else if (error instanceof CheckpointConflictError) log.info('drain ended: another run continues');
      else throw error;
    }
  };

  async function drain(stop: AbortSignal): Promise<void> {
    const journal = await checkpoint.open();
    // A run before may still be in this walk. From now on it cannot save, so that it ends at its next page.
    if (journal.progress.walk !== undefined) await journal.save(journal.progress);
    report(journal.progress);
    // The records must be stored, even when none can be marked.
    const failure = await mark(journal, stop).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    stop.throwIfAborted();
    if (failure?.error instanceof CheckpointConflictError) throw failure.error;
    const ours = await walk(journal, stop);
    if (failure !== undefined) throw failure.error;
    const marked = await mark(journal, stop);
    reportUnmarked(ours - marked);
  }

  /** Marks what is to be marked, if anything is. It is done once the platform has answered, with any answer. @returns how many are marked */
  async function mark(journal: Journal<DrainProgress>, stop: AbortSignal): Promise<number> {
    const { mark: pending } = journal.progress;
    if (pending === undefined) return 0;
    const refusals: unknown[] = [];
    for (const id of pending.ids)
      await markWebhooksDelivered(client, id, { signal: stop }).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        refusals.push(error);
      });
    const isMarked = refusals.length < pending.ids.length;
    const { markDelivered: path } = client.profile.webhookPaths;
    if (!isMarked) log.warn('mark refused', { path, size: pending.covered, error: refusals[0] });
    stop.throwIfAborted();
    await journal.save(endMark({ ...journal.progress, mark: pending }, isMarked));
    report(journal.progress);
    if (!isMarked) return 0;
    metrics.count('UndeliveredMarked', pending.covered);
    return pending.covered;
  }

  /** @returns how many records of ours are on the list */
  async function walk(journal: Journal<DrainProgress>, stop: AbortSignal): Promise<number> {
    try {
      return await walkOn(journal, stop);
    } catch (error) {
      stop.throwIfAborted();
      const { progress } = journal;
      const { walk: underWay } = progress;
      if (error instanceof PlatformError && underWay !== undefined)
        await journal.save(recordFailedRun({ ...progress, walk: underWay }));
      if (!(error instanceof CursorRefusedError)) throw error;
      log.warn('drain restarted after a refused cursor', { error });
      if (underWay !== undefined) await journal.save(giveUpWalk(journal.progress));
      return await walkOn(journal, stop);
    }
  }

  /**
   * From page to page to the end of the list. The next page is read while some before it are stored. Progress is saved in the
   * order of the list, so that it covers no page before all pages ahead of it are stored.
   */
  async function walkOn(journal: Journal<DrainProgress>, stop: AbortSignal): Promise<number> {
    const { settle } = client.profile.undelivered;
    const { walk: underWay, candidate, latest = candidate, marked } = journal.progress;
    let progress = beginWalk(journal.progress, now(), settle);
    const { horizon } = progress.walk;
    const known = underWay === undefined ? (latest?.createdOn ?? horizon) : horizon;
    const pages = createPipeline(maxPagesUnderWay);
    let { place } = progress.walk;
    let reading = readPage(place, stop);
    let last: UndeliveredPage;
    let unstored = 0;
    try {
      for (;;) {
        last = await reading;
        const { items, next } = last;
        unstored += items.length;
        metrics.measure('UndeliveredUnstored', unstored);
        const following = follow(
          place,
          next,
          items.map(({ value }) => value),
        );
        const upcoming = following && readPage(following, stop);
        // It is awaited a page later.
        upcoming?.catch(() => undefined);
        await pages.add(commitRecord(items, known), async (listed) => {
          unstored -= items.length;
          metrics.measure('UndeliveredUnstored', unstored);
          stop.throwIfAborted();
          const walked = addPage(progress.walk, listed, marked);
          progress = raiseHorizon(
            { ...progress, walk: { ...walked, place: following ?? walked.place } },
            now(),
            settle,
          );
          reportOpen(walked);
          if (following === undefined) return;
          // Its records are stored. The walk does not come to an end: nothing is marked.
          checkTrail(listUndelivered, following.trail);
          // The client has refused to ask for the page. No row may hold the cursor.
          if (!isUsableCursor(following.cursor)) await upcoming;
          await journal.save(progress);
        });
        if (following === undefined || upcoming === undefined) break;
        place = following;
        reading = upcoming;
      }
    } finally {
      await pages.end();
    }
    const isWhole = await isEnd(last, progress.walk.place, stop);
    if (isWhole) {
      await end(journal, progress);
      return progress.walk.ours;
    }
    await end(journal, { ...progress, walk: { ...progress.walk, watermark: undefined } });
    throw new EndOfListError(last.items.length);
  }

  /**
   * Whether no record follows the last page. A cursor on an earlier page shows that this list has its cursors where they are read.
   * Otherwise a page of another size shows it: of more records than that, it has a cursor.
   */
  async function isEnd(last: UndeliveredPage, { cursor }: Place, signal: AbortSignal): Promise<boolean> {
    if (!last.isFullWithoutCursor || cursor !== undefined) return true;
    const limit = last.items.length > 1 ? 1 : 2;
    const other = await readUndeliveredPage(client, { limit, signal });
    return !other.isFullWithoutCursor;
  }

  async function readPage({ cursor }: Place, signal: AbortSignal): Promise<UndeliveredPage> {
    try {
      return await readUndeliveredPage(client, { cursor, signal });
    } catch (cause) {
      if (cursor === undefined || !isRefusal(cause)) throw cause;
      throw new CursorRefusedError('The platform refused the cursor of a page: the walk starts over.', { cause });
    }
  }

  async function end(journal: Journal<DrainProgress>, progress: WalkProgress) {
    const { late } = progress.walk;
    await journal.save(endWalk(progress));
    report(journal.progress);
    const { foreign, untimed } = journal.progress;
    if (foreign !== undefined)
      log.warn('undelivered webhooks of another system found', { origin: foreign.origin, size: foreign.listed });
    if (untimed !== undefined) log.warn('undelivered webhooks without a time found', { size: untimed });
    if (late === 0) return;
    metrics.count('UndeliveredLate', late);
    log.warn('undelivered webhooks older than a mark found', { size: late });
  }

  /** What the alarms go by: it stands until the run knows better. */
  function report({ refusedMarks, foreign, untimed }: DrainProgress): void {
    metrics.measure('UndeliveredMarksRefused', refusedMarks ?? 0);
    metrics.measure('UndeliveredForeign', foreign?.listed ?? 0);
    metrics.measure('UndeliveredBehindForeign', foreign?.waiting ?? 0);
    metrics.measure('UndeliveredUntimed', untimed ?? 0);
  }

  function reportOpen(walked: Walk): void {
    reportUnmarked(walked.ours);
    const oldest = oldestToMark(walked);
    const age = oldest === undefined ? 0 : (now().getTime() - Date.parse(oldest)) / 1000;
    metrics.measure('OldestUndeliveredAge', Math.max(0, age));
  }

  /** What is stored, and to be marked by the next run. A mark can cover a record that came after the list was read. */
  function reportUnmarked(size: number): void {
    metrics.measure('UndeliveredNow', Math.min(Math.max(size, 0), mostUndelivered));
  }
}

/** At this, the measure says: so many, or more. */
const mostUndelivered = 1_000;

/** Pages that are stored at the same time. */
const maxPagesUnderWay = 3;

/** Answers that stay the same however often it is asked. Any other may yet turn out to have had an effect. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 405, 409, 410, 422]);

function isRefusal(error: unknown): boolean {
  return error instanceof PlatformHttpError && refusals.has(error.status);
}
