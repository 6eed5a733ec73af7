import { mapConcurrent } from '#shared/map-concurrent.ts';

/** How far a lane has been walked: the position of its last page, or that it is not begun, or over. */
export type LaneProgress<Position> = 'begin' | 'end' | Position;

/** Something long in lanes that can be read concurrently, page by page. */
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

/** Walks all lanes from where a walk before has stopped, and says how far it has come. */
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
