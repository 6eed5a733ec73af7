import * as z from 'zod/mini';
import type { EntityComparison, WalkSummary } from '#shared/api/reconcile-answers.ts';
import type { Checkpoint } from '#shared/aws/checkpoint.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import type { EntityStore } from '#shared/entities/entity-store.ts';
import { entityId } from '#shared/entities/place-event.ts';
import { canBeReadBack } from '#shared/events/read-back.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { differencesOf, type ReadPlatformEntity } from './read-platform-entity.ts';
import type { ReconcileProgress } from './reconcile-progress.ts';

/** What an operator asks `reconcile` without a walk. */
const inspection = z.union([
  z.strictObject({ mode: z.literal('compare'), kind: z.enum(entityKinds), id: entityId }),
  z.strictObject({ mode: z.literal('last') }),
]);

export type Inspection = z.infer<typeof inspection>;

/** Undefined for every other request. */
export function readInspection(event: unknown): Inspection | undefined {
  return inspection.safeParse(event).data;
}

/**
 * Answers an operator's question, and writes nothing.
 *
 * @throws {PlatformError} when the platform fails; any error of DynamoDB
 */
export function createInspect({
  entityStore,
  ask,
  checkpoint,
  now,
}: {
  readonly entityStore: Pick<EntityStore, 'read'>;
  readonly ask: ReadPlatformEntity;
  readonly checkpoint: Pick<Checkpoint<ReconcileProgress>, 'open'>;
  readonly now: () => Date;
}) {
  return async (asked: Inspection, stop: AbortSignal): Promise<EntityComparison | WalkSummary> =>
    asked.mode === 'last' ? summarize((await checkpoint.open()).progress) : compare(asked, stop);

  async function compare({ kind, id }: EntityKey, stop: AbortSignal): Promise<EntityComparison> {
    const key = { kind, id };
    // Before the platform is asked: what is reported meanwhile is not a difference.
    const entity = await entityStore.read(key);
    const readOn = now().toISOString();
    const platform = canBeReadBack(key) ? await ask(key, stop) : 'not readable';
    return {
      kind,
      id,
      readOn,
      ...(entity && { ours: { status: entity.status, modifiedOn: entity.modifiedOn } }),
      platform,
      differed: typeof platform === 'string' ? [] : [...differencesOf(entity, platform)],
    };
  }
}

function summarize({ last, walk, verifications, stumbles: failedRuns }: ReconcileProgress): WalkSummary {
  if (walk?.listedOn === undefined) return { last, failedRuns };
  const { beganOn, counts } = walk;
  const phase = walk.phase !== 'persons' && verifications?.isOver ? 'entities' : walk.phase;
  return { last, underWay: { beganOn, counts, phase }, failedRuns };
}
