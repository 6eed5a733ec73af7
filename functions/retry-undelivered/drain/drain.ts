import { type Checkpoint, CheckpointConflictError, type Journal } from '#shared/aws/checkpoint.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { checkTrail } from '#shared/platform/client/cursor-trail.ts';
import { PlatformError, PlatformHttpError } from '#shared/platform/client/errors.ts';
import { raceAbort } from '#shared/platform/client/http.ts';
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
  type DrainWalk,
  dropWalk,
  endMark,
  endWalk,
  follow,
  oldestToMark,
  type Place,
  raiseHorizon,
  recordFailedRun,
  type WalkProgress,
} from './drain-progress.ts';

export type Pipeline = {
  /**
   * Adds work that has begun. `finish` gets its result once all earlier work is finished. Resolves when there is room for more work.
   *
   * @throws the first failure of earlier work
   */
  readonly add: <Result>(work: Promise<Result>, finish: (result: Result) => Promise<void>) => Promise<void>;
  /** Resolves when all work is finished, also after a failure. @throws the first failure */
  readonly end: () => Promise<void>;
};

/** Runs several pieces of work concurrently, and finishes them in their order. After a failure nothing more is finished. */
function createPipeline(concurrency: number): Pipeline {
  let finished: Promise<void> = Promise.resolve();
  const running: { readonly work: Promise<unknown>; readonly finished: Promise<void> }[] = [];
  return {
    add: async (work, finish) => {
      finished = Promise.all([work, finished]).then(([result]) => finish(result));
      // It is awaited later.
      finished.catch(() => undefined);
      running.push({ work, finished });
      if (running.length >= concurrency) await running.shift()?.finished;
    },
    end: async () => {
      await Promise.allSettled(running.map(({ work }) => work));
      await finished;
    },
  };
}

type DrainDeps = {
  readonly client: PlatformClient;
  readonly checkpoint: Checkpoint<DrainProgress>;
  readonly commitRecord: CommitRecord;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** The platform refuses a cursor: it is of another day, or of a list that has changed. */
export class CursorRefusedError extends DrawbridgeError {
  constructor(message: string, options?: ErrorOptions) {
    super('CursorRefusedError', message, options);
  }
}

/**
 * One run of the drain: reads the list of undelivered webhooks (section 2.2) from where the run before stopped, stores every record,
 * and marks records once it has read the list to its end (`drain-progress.ts` explains which).
 *
 * Any part can be repeated. If runs overlap, one continues: the later one if the checkpoint has a walk, otherwise the first that saves.
 * Until the other one ends, both can hand over the same page. A run ends early, without an error, when it is asked to stop.
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
    // An earlier run may still work on this walk. From now on it cannot save, so it ends at its next page.
    if (journal.progress.walk !== undefined) await journal.save(journal.progress);
    report(journal.progress);
    // Records must be stored even if the mark fails.
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

  /** Sends the pending mark, if there is one. The mark is done once the platform has answered, with any answer. @returns how many are marked */
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

  /** @returns how many of our records are on the list */
  async function walk(journal: Journal<DrainProgress>, stop: AbortSignal): Promise<number> {
    try {
      return await readPages(journal, stop);
    } catch (error) {
      stop.throwIfAborted();
      const { progress } = journal;
      const { walk: current } = progress;
      if (error instanceof PlatformError && current !== undefined)
        await journal.save(recordFailedRun({ ...progress, walk: current }));
      if (!(error instanceof CursorRefusedError)) throw error;
      log.warn('drain restarted after a refused cursor', { error });
      if (current !== undefined) await journal.save(dropWalk(journal.progress));
      return await readPages(journal, stop);
    }
  }

  /**
   * Reads page after page to the end of the list. The next page is read while earlier pages are stored. Progress is saved in the
   * order of the list, so that it never covers a page before all earlier pages are stored.
   */
  async function readPages(journal: Journal<DrainProgress>, stop: AbortSignal): Promise<number> {
    const { settle } = client.profile.undelivered;
    const { walk: current, candidate, latest = candidate, marked } = journal.progress;
    let progress = beginWalk(journal.progress, now(), settle);
    const { horizon } = progress.walk;
    const known = current === undefined ? (latest?.createdOn ?? horizon) : horizon;
    const pages = createPipeline(pageConcurrency);
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
          // The page is stored. The walk has no end, so nothing is marked.
          checkTrail(listUndelivered, following.trail);
          // The client refuses the cursor. No row may store it.
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
    throw new DrawbridgeError('EndOfListError', endOfListMessage(last.items.length));
  }

  /**
   * Whether no record follows the last page. A cursor on an earlier page shows that this list has its cursors where they are read.
   * Otherwise a page of another size shows it: if there are more records, that page has a cursor.
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
      log.warn('found undelivered webhooks of another system', { origin: foreign.origin, size: foreign.listed });
    if (untimed !== undefined) log.warn('found undelivered webhooks without a time', { size: untimed });
    if (late === 0) return;
    metrics.count('UndeliveredLate', late);
    log.warn('found undelivered webhooks older than a mark', { size: late });
  }

  /** Publishes the measures of the alarms, as the latest complete walk has found them. */
  function report({ refusedMarks, foreign, untimed }: DrainProgress): void {
    metrics.measure('UndeliveredMarksRefused', refusedMarks ?? 0);
    metrics.measure('UndeliveredForeign', foreign?.listed ?? 0);
    metrics.measure('UndeliveredBehindForeign', foreign?.waiting ?? 0);
    metrics.measure('UndeliveredUntimed', untimed ?? 0);
  }

  function reportOpen(walked: DrainWalk): void {
    reportUnmarked(walked.ours);
    const oldest = oldestToMark(walked);
    const age = oldest === undefined ? 0 : (now().getTime() - Date.parse(oldest)) / 1000;
    metrics.measure('OldestUndeliveredAge', Math.max(0, age));
  }

  /** What is stored, and to be marked by the next run. A mark can cover a record that came after the list was read. */
  function reportUnmarked(size: number): void {
    metrics.measure('UndeliveredNow', Math.min(Math.max(size, 0), maxUndelivered));
  }
}

function endOfListMessage(size: number): string {
  return `The list of undelivered webhooks ended after ${size} members, with a full page that has no pagination.cursor. More may follow, so nothing was marked. Run drawbridge doctor --platform, and ask the platform's support where the cursor of a page is.`;
}

/** The maximum of the measure: this value means this many or more. */
const maxUndelivered = 1_000;

/** Pages that are stored at the same time. */
const pageConcurrency = 3;

/** Statuses that a repeated call would get again. A call with any other error may still have had an effect. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 405, 409, 410, 422]);

function isRefusal(error: unknown): boolean {
  return error instanceof PlatformHttpError && refusals.has(error.status);
}
