import * as z from 'zod/mini';
import { CheckpointConflictError, createCheckpoint } from '#shared/aws/checkpoint.ts';
import { usualLanes } from './lanes.ts';
import type { ListDeps } from './read-list.ts';

/** The greatest number of lanes that an environment has ever had: rows stay in their lanes when the setting is lowered. */
export type LaneMemory = {
  readonly read: () => Promise<number>;
  /** Resolves once each reader knows of these lanes, if they are more than `usualLanes`. Asks DynamoDB once. */
  readonly remember: () => Promise<void>;
};

const laneProgress = z.object({ lanes: z._default(z.int(), usualLanes) });

/** @param lanes of the setting `listLanes` */
export function createLaneMemory(deps: ListDeps, lanes: number): LaneMemory {
  const checkpoint = createCheckpoint({ ...deps, job: 'list-lanes', schema: laneProgress });
  let remembered = lanes <= usualLanes ? Promise.resolve() : undefined;

  async function read(): Promise<number> {
    const { progress } = await checkpoint.open();
    return Math.max(lanes, progress.lanes);
  }

  async function write(): Promise<void> {
    const journal = await checkpoint.open();
    if (journal.progress.lanes >= lanes) return;
    try {
      await journal.save({ lanes });
    } catch (error) {
      if (!(error instanceof CheckpointConflictError)) throw error;
      // Another instance has just saved, perhaps a lower number.
      await write();
    }
  }

  async function remember(): Promise<void> {
    remembered ??= write().catch((error: unknown) => {
      remembered = undefined;
      throw error;
    });
    return remembered;
  }

  return { read, remember };
}
