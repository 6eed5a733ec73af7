import { useState } from 'preact/hooks';
import { usePlace } from '#console/app/router.ts';
import type { Kept } from './kept.ts';
import { type ConsoleError, type ReadState, useReading } from './read.ts';

export type ListPages<Page> = {
  /** The pages that are shown. Its `reload` begins again with the first one. */
  readonly state: ReadState<readonly Page[]>;
  readonly hasMore: boolean;
  readonly more: () => Promise<void>;
  /** Why there are no more pages, where reading one failed. */
  readonly error: ConsoleError | undefined;
};

/**
 * A list, of which a reader asks for one page after another. Back and Forward find the pages that were there.
 *
 * @param key what is listed, with its filter
 */
export function useListPages<Page extends { readonly nextCursor?: string | undefined }>(
  key: string,
  readPage: (cursor: string | undefined) => Promise<Page>,
  kept: Kept<readonly Page[]>,
): ListPages<Page> {
  const place = `${usePlace().entry} ${key}`;
  const state = useReading({
    key: place,
    read: async () => kept.get(place) ?? kept.keep(place, [await readPage(undefined)]),
  });
  const [failure, setFailure] = useState<{ readonly place: string; readonly error: ConsoleError } | undefined>(
    undefined,
  );
  const { answer: pages = [], reload } = state;
  const cursor = pages.at(-1)?.nextCursor;
  return {
    state: {
      ...state,
      reload: () => {
        kept.drop(place);
        reload();
      },
    },
    hasMore: cursor !== undefined,
    more: () =>
      readPage(cursor).then(
        (page) => {
          kept.keep(place, [...pages, page]);
          setFailure(undefined);
          reload();
        },
        (error: ConsoleError) => setFailure({ place, error }),
      ),
    error: failure?.place === place ? failure.error : undefined,
  };
}
