import * as z from 'zod/mini';
import type { ListingPage } from '#shared/events/event-listing.ts';

const count = z.int().check(z.nonnegative());

/** How many there are of each. Not an object: the platform may name an event type as it likes. */
const counts = z.array(z.tuple([z.string(), count]));

/** What a count has come to so far. */
export const eventTally = z.object({
  count,
  byReason: counts,
  byEventType: counts,
  /** When the first and the last of them arrived. */
  oldest: z.optional(z.string()),
  newest: z.optional(z.string()),
  /** Ids that were asked for and do not count. */
  leftOut: z.array(z.string()),
});

export type EventTally = z.infer<typeof eventTally>;

export const emptyTally: EventTally = { count: 0, byReason: [], byEventType: [], leftOut: [] };

export function addPage(tally: EventTally, { events, leftOut = [] }: ListingPage): EventTally {
  const times = events.map(({ receivedOn }) => receivedOn);
  const ends = [tally.oldest, tally.newest, ...times].filter((time) => time !== undefined).toSorted();
  return {
    count: tally.count + events.length,
    byReason: add(
      tally.byReason,
      events.map(({ quarantineReason }) => quarantineReason),
    ),
    byEventType: add(
      tally.byEventType,
      events.map(({ eventType }) => eventType),
    ),
    oldest: ends.at(0),
    newest: ends.at(-1),
    leftOut: [...tally.leftOut, ...leftOut],
  };
}

function add(sofar: EventTally['byReason'], words: readonly (string | undefined)[]): EventTally['byReason'] {
  const sums = new Map(sofar);
  for (const word of words) if (word !== undefined) sums.set(word, (sums.get(word) ?? 0) + 1);
  return [...sums];
}

/** For the reader: the most frequent first. */
export function describeCounts(sums: EventTally['byReason']): Readonly<Record<string, number>> {
  return Object.fromEntries(
    sums.toSorted(([one, ofOne], [other, ofOther]) => ofOther - ofOne || (one < other ? -1 : 1)),
  );
}
