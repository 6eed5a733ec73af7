import * as z from 'zod/mini';
import { CheckpointConflictError, createCheckpoint } from '#shared/aws/checkpoint.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { ListDeps } from './read-list.ts';

/** How far a lane has been walked: the position of its last page, or that it is not begun, or over. */
export type LaneProgress<Position> = 'begin' | 'end' | Position;

/** A long list in lanes, which can be read concurrently, page by page. */
export type Lanes<Page extends { readonly next: unknown }> = {
  readonly lanes: number;
  /** @param after where the page before ended; undefined for the first page of the lane */
  readonly readPage: (lane: number, after: NonNullable<Page['next']> | undefined) => Promise<Page>;
};

export type LaneWalk<Page> = {
  /** Is asked before each page: the walk ends after the pages that are under way. */
  readonly mayContinue: () => boolean;
  /** A page counts as walked once this has resolved. */
  readonly onPage: (page: Page) => Promise<void> | void;
};

const laneConcurrency = 4;

/** Walks all lanes from where the previous walk stopped, and returns how far it came. */
export async function walkLanes<Page extends { readonly next: unknown }>(
  { readPage }: Lanes<Page>,
  from: readonly LaneProgress<NonNullable<Page['next']>>[],
  { mayContinue, onPage }: LaneWalk<Page>,
): Promise<LaneProgress<NonNullable<Page['next']>>[]> {
  const walked = [...from];
  await mapConcurrent([...walked.keys()], laneConcurrency, async (lane) => {
    for (let at = walked[lane] ?? 'end'; at !== 'end' && mayContinue(); walked[lane] = at) {
      const page = await readPage(lane, at === 'begin' ? undefined : at);
      await onPage(page);
      at = page.next ?? 'end';
    }
  });
  return walked;
}

/** Lanes over which a list spreads its rows, unless the setting `listLanes` says otherwise; those of every earlier release. */
export const usualLanes = 16;

/** The most that the setting takes: a page queries each lane. */
export const maxLanes = 128;

/** The lane of a row. @param hash hexadecimal, of 8 digits or more: the id of the row, or a digest of the id */
export function laneOf(hash: string, lanes: number): string {
  return Math.floor((Number.parseInt(hash.slice(0, 8), 16) / 2 ** 32) * lanes).toString(16);
}

/** The names of so many lanes. Fewer lanes are the first ones of more, so a reader needs the greatest number only. */
export function laneNames(lanes: number): readonly string[] {
  return Array.from({ length: lanes }, (_, lane) => lane.toString(16));
}

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
