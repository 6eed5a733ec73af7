import type { BatchQueue } from '#shared/aws/batch-queue.ts';
import type { Journal } from '#shared/aws/checkpoint.ts';
import type { EntityListing } from '#shared/entities/entity-listing.ts';
import { readBackShards } from '#shared/entities/entity-row.ts';
import { writeReadBackMessage } from '#shared/events/read-back.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import type { OnboardingVerifications } from '#shared/onboarding/onboarding-verifications.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { checkTrail, faultOf, followTrail } from '#shared/platform/client/cursor-trail.ts';
import { checkCursor, isUsableCursor } from '#shared/platform/client/page.ts';
import { getNaturalPersons } from '#shared/platform/resources/list-natural-persons.ts';
import type { DetectDrift } from './detect-drift.ts';
import type { Pace } from './pace.ts';
import { PersonsCursorError, readPersonsPage } from './persons-page.ts';
import type { ReadPlatform } from './read-platform.ts';
import {
  addChecked,
  afterPersons,
  afterVerifications,
  type Checked,
  type Finding,
  interruptPass,
  newWalk,
  passOn,
  type ReconcileProgress,
  startPersonsOver,
  type Walk,
} from './reconcile-progress.ts';

export type WalkDeps = {
  readonly client: PlatformClient;
  readonly pace: Pace;
  readonly looks: DetectDrift;
  readonly listing: EntityListing;
  /** Those of the onboardings. Persons are in the platform's list; for verifications, only who is entitled may ask. */
  readonly verifications: OnboardingVerifications;
  /** The webhooks queue. */
  readonly queue: BatchQueue;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** What is under way in one run. */
export type Run = {
  readonly journal: Journal<ReconcileProgress>;
  readonly repairs: boolean;
  /**
   * Entities that a repair reads back before its walk continues: a day with a million of them does not keep the walk from
   * finding drift. The pages of the walk settle the persons among the others, and the next run continues with the rest.
   */
  readonly maxMarked: number;
  readonly stop: AbortSignal;
  readonly ask: ReadPlatform;
  readonly found: Finding[];
};

/** Items of an index, or of the table, that are checked before the next checkpoint. */
const markPageSize = 25;
const entityPageSize = 200;
const verificationPageSize = 100;

/**
 * Continues where the run before it stopped: through what is to be read back, then through the platform's persons, the
 * verifications of onboardings, and all our entities. Each step can be repeated.
 *
 * @throws {CheckpointConflictError} when another run continues meanwhile
 * @throws what the platform, DynamoDB or SQS fail with; what the run was stopped with
 */
export function createGoOn({ client, pace, looks, listing, verifications, queue, now, log, metrics }: WalkDeps) {
  return async (run: Run): Promise<void> => {
    await passMarked(run);
    await walkPersons(run);
    await walkVerifications(run);
    await walkEntities(run);
  };

  async function passMarked(run: Run): Promise<void> {
    const { journal, repairs, maxMarked, ask, stop } = run;
    let { pass } = journal.progress;
    for (let read = 0; pass !== undefined; ) {
      if (repairs && read >= maxMarked) return journal.save(interruptPass(journal.progress, pass));
      const shard = readBackShards[pass.shard] ?? '';
      const { items, next } = await listing.toReadBack(shard, { start: pass.start, most: markPageSize });
      const following = passOn(pass, next);
      read += items.length;
      // Most shards are empty, and not worth a checkpoint each.
      if (items.length > 0 || following === undefined)
        await take(run, await looks.checkMarked(items, ask, stop), (progress) => ({ ...progress, pass: following }));
      pass = following;
    }
  }

  async function walkPersons(run: Run): Promise<void> {
    try {
      await walkPersonsOn(run);
    } catch (error) {
      const { progress } = run.journal;
      if (!(error instanceof PersonsCursorError)) throw error;
      run.stop.throwIfAborted();
      log.warn('list of persons read again after a refused cursor', { error });
      await run.journal.save({ ...progress, walk: startPersonsOver(walkOf(progress)) });
      await walkPersonsOn(run);
    }
  }

  async function walkPersonsOn(run: Run): Promise<void> {
    for (let walked = walkOf(run.journal.progress); walked.phase === 'persons'; walked = walkOf(run.journal.progress)) {
      const { cursor, trail } = walked;
      await pace(run.stop);
      const readOn = now();
      const { items, next } = await readPersonsPage(client, cursor, run.stop);
      const look = await looks.checkPersons(items, readOn, run.journal.progress.nextPass !== undefined);
      const following = followTrail(trail, cursor, next, items);
      if (following !== undefined && (!isUsableCursor(next) || faultOf(following) !== undefined)) {
        await handOver(run, look);
        checkCursor(getNaturalPersons, next);
        checkTrail(getNaturalPersons, following);
      }
      await take(run, look, ({ walk, ...progress }) => ({
        ...progress,
        walk: walk && afterPersons(walk, next, following),
        stumbles: 0,
      }));
    }
  }

  async function walkVerifications(run: Run): Promise<void> {
    const { journal, ask, stop } = run;
    for (let walked = walkOf(journal.progress); walked.phase === 'verifications'; walked = walkOf(journal.progress)) {
      const { items, next } = await verifications.list({ start: walked.start, most: verificationPageSize });
      await take(run, await looks.checkVerifications(items, ask, stop), ({ walk, ...progress }) => ({
        ...progress,
        walk: walk && afterVerifications(walk, next),
        stumbles: 0,
      }));
    }
  }

  async function walkEntities(run: Run): Promise<void> {
    const { journal, ask, stop } = run;
    for (let isOver = false; !isOver; ) {
      const { start } = walkOf(journal.progress);
      const listed = await listing.all({ start, most: entityPageSize });
      const look = await looks.checkQuiet(listed, ask, stop);
      isOver = listed.next === undefined;
      await take(run, look, ({ walk, ...progress }) => ({
        ...progress,
        walk: walk && { ...walk, start: listed.next },
        stumbles: 0,
      }));
    }
  }

  /** Hands over what is to be repaired, then moves on: a crash in between has it handed over again. */
  async function take(
    run: Run,
    look: Checked,
    move: (progress: ReconcileProgress) => ReconcileProgress,
  ): Promise<void> {
    const { journal, repairs, found } = run;
    await handOver(run, look);
    const walk = addChecked(walkOf(journal.progress), look, repairs);
    await journal.save(move({ ...journal.progress, walk }));
    found.push(...look.findings);
    if (repairs) tell(look);
  }

  async function handOver({ repairs, stop }: Run, { findings }: Checked): Promise<void> {
    stop.throwIfAborted();
    if (repairs) await queue.sendAll(findings.flatMap(({ answer }) => (answer ? [writeReadBackMessage(answer)] : [])));
    stop.throwIfAborted();
  }

  function tell({ checked, findings }: Checked): void {
    const number = (what: Finding['what']) => findings.filter((finding) => finding.what === what).length;
    metrics.count('EntitiesReconciled', checked.length);
    metrics.count('DriftFound', number('drifted'));
    metrics.count('EntitiesReadBack', number('to be read back'));
    metrics.count('EntitiesGone', number('gone'));
    metrics.count('ReadBacksUnanswered', number('unanswered'));
    if (number('drifted') > 0) log.warn('drift repaired', { size: number('drifted') });
  }

  function walkOf(progress: ReconcileProgress): Walk {
    return progress.walk ?? newWalk(now());
  }
}
