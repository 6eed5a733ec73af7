import * as z from 'zod/mini';
import { type EventListing, type ListingPage, lanePosition } from '#shared/event-listing.ts';
import { sideBySide } from '#shared/side-by-side.ts';

/** Of each lane of a list, how far it has been walked. */
export const lanes = z.array(z.union([z.enum(['begin', 'end']), lanePosition]));

export type Lanes = z.infer<typeof lanes>;

export function beginLanes(length: number): Lanes {
  return Array.from({ length }, () => 'begin' as const);
}

export function isWalked(walked: Lanes): boolean {
  return walked.every((lane) => lane === 'end');
}

const lanesAtOnce = 4;

export type Walk = {
  /** It ends after the pages that are under way then. */
  readonly stop: AbortSignal;
  /** A page is behind once this has resolved. */
  readonly onPage: (page: ListingPage) => Promise<void> | void;
};

/** Walks a list from where a walk before it has stopped, and tells how far it has come. */
export async function walkListing(listing: EventListing, from: Lanes, { stop, onPage }: Walk): Promise<Lanes> {
  const walked = [...from];
  await sideBySide([...walked.keys()], lanesAtOnce, async (lane) => {
    for (let at = walked[lane] ?? 'end'; at !== 'end' && !stop.aborted; walked[lane] = at) {
      const page = await listing.readPage(lane, at === 'begin' ? undefined : at);
      await onPage(page);
      at = page.next ?? 'end';
    }
  });
  return walked;
}
