import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { OnboardingVerifications } from '#shared/onboarding/onboarding-finder.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { checkTrail, faultOf, followTrail } from '#shared/platform/client/cursor-trail.ts';
import { PlatformHttpError } from '#shared/platform/client/errors.ts';
import { checkCursor, isUsableCursor, type Page } from '#shared/platform/client/page.ts';
import {
  getNaturalPersons,
  type NaturalPersonState,
  readNaturalPersonStates,
} from '#shared/platform/resources/list-natural-persons.ts';
import type { DetectDrift } from './detect-drift.ts';
import type { Pace } from './read-platform-entity.ts';
import { afterPersons, startPersonsOver, walkOf } from './reconcile-progress.ts';
import type { RecordChecked, Run } from './record-checked.ts';

/** The platform refuses a cursor of its list of persons: it is of another day, or of a list that has changed. */
export class PersonsCursorError extends DrawbridgeError {
  constructor(message: string, options?: ErrorOptions) {
    super('PersonsCursorError', message, options);
  }
}

/** Statuses that a repeated call would get again. */
const refusals: ReadonlySet<number> = new Set([400, 404, 409, 410, 422]);

/** @throws {PersonsCursorError} if the cursor is at fault; {PlatformError} if the platform is */
async function readPersonsPage(
  client: PlatformClient,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<NaturalPersonState>> {
  try {
    return await readNaturalPersonStates(client, { cursor, signal });
  } catch (cause) {
    const isRefused = cause instanceof PlatformHttpError && refusals.has(cause.status);
    if (cursor === undefined || !isRefused) throw cause;
    throw new PersonsCursorError('The platform refused the cursor of a page: the list is read again from its start.', {
      cause,
    });
  }
}

export type PlatformWalkDeps = RecordChecked & {
  readonly client: PlatformClient;
  readonly pace: Pace;
  readonly driftChecks: DetectDrift;
  /** The verifications of onboardings. The platform lists persons, but verifications only to an entitled requestor. */
  readonly verifications: OnboardingVerifications;
  readonly now: () => Date;
  readonly log: Log;
};

/** The share of a repair for verifications, until the list of persons is read to its end. */
const verificationShare = 0.1;

const verificationPageSize = 100;

/** Checks entities that are not in the index of due entities: persons and verifications of which every webhook was lost. */
export function createPlatformWalk({
  client,
  pace,
  driftChecks,
  verifications,
  recordChecked,
  handOver,
  now,
  log,
}: PlatformWalkDeps) {
  async function walkPersons(run: Run): Promise<void> {
    run.isAtPersons = true;
    try {
      await readPersonPages(run);
    } catch (error) {
      const { progress } = run.journal;
      if (!(error instanceof PersonsCursorError)) throw error;
      run.stop.throwIfAborted();
      log.warn('list of persons read again after a refused cursor', { error });
      await run.journal.save({ ...progress, walk: startPersonsOver(walkOf(progress, now())) });
      await readPersonPages(run);
    }
    run.isAtPersons = false;
  }

  async function readPersonPages(run: Run): Promise<void> {
    for (;;) {
      const { phase, cursor, trail } = walkOf(run.journal.progress, now());
      if (phase !== 'persons') return;
      await pace(run.stop);
      const readOn = now();
      const { items, next } = await readPersonsPage(client, cursor, run.stop);
      const checked = await driftChecks.checkPersons(items, readOn, settlesMarks(run));
      const following = followTrail(trail, cursor, next, items);
      if (following !== undefined && (!isUsableCursor(next) || faultOf(following) !== undefined)) {
        await handOver(run, checked);
        checkCursor(getNaturalPersons, next);
        checkTrail(getNaturalPersons, following);
      }
      await recordChecked(run, checked, ({ walk, ...progress }) => ({
        ...progress,
        walk: afterPersons(walk, next, following),
        stumbles: 0,
      }));
    }
  }

  /** Whether pages must settle marks: the run has left due entities to the next one, or the index is not complete yet. */
  function settlesMarks({ isBehind, repairs, journal }: Run): boolean {
    return isBehind || (repairs && journal.progress.fill?.begunOn !== undefined);
  }

  async function walkVerifications(run: Run): Promise<void> {
    const { journal, repairs, limitMs, ask, stop } = run;
    const until = now().getTime() + limitMs * verificationShare;
    while (journal.progress.verifications?.isOver === false) {
      const { start } = journal.progress.verifications;
      const { items, next } = await verifications.list({ start, most: verificationPageSize });
      const checked = await driftChecks.checkVerifications(items, ask, stop);
      const following = next === undefined ? { isOver: true } : { start: next, isOver: false };
      await recordChecked(run, checked, (progress) => ({ ...progress, verifications: following, stumbles: 0 }));
      const isShared = repairs && walkOf(journal.progress, now()).phase === 'persons';
      if (isShared && now().getTime() >= until) return;
    }
  }

  return { walkPersons, walkVerifications };
}
