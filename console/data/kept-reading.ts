import { usePlace } from '#console/app/router.ts';
import type { Kept } from './kept.ts';
import { type ReadState, useReading } from './read.ts';

export type KeptReading<Answer> = {
  readonly state: ReadState<Answer>;
  /** Where the answer is kept. */
  readonly place: string;
};

/**
 * Shows what the same entry of the history has shown before, and reads it again: what an event or an order was when a reader
 * left the list can have changed.
 *
 * @param key what is read
 * @param read gets what is shown meanwhile
 */
export function useKeptReading<Answer>(
  key: string,
  read: (shown: Answer | undefined) => Promise<Answer>,
  kept: Kept<Answer>,
): KeptReading<Answer> {
  const place = `${usePlace().entry} ${key}`;
  const state = useReading({
    key: place,
    read: async () => {
      const shown = kept.get(place);
      const answer = await read(shown);
      const now = kept.get(place);
      // Meanwhile the reader may have asked for more.
      return now === undefined || now === shown ? kept.keep(place, answer) : now;
    },
  });
  return { state: { ...state, answer: kept.get(place) ?? state.answer }, place };
}
