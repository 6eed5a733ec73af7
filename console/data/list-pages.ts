import { useState } from 'preact/hooks';
import type { Kept } from './kept.ts';
import { useKeptReading } from './kept-reading.ts';
import type { ConsoleError, ReadState } from './read.ts';

export type ListPages<Page> = {
  /** The pages that are shown. Its `reload` begins again with the first one. */
  readonly state: ReadState<readonly Page[]>;
  readonly hasMore: boolean;
  readonly more: () => Promise<void>;
  /** Why there are no more pages, if reading one failed. */
  readonly error: ConsoleError | undefined;
};

/**
 * A list, of which a reader asks for one page after another. Back and Forward find as many pages as there were.
 *
 * @param key what is listed, with its filter
 */
export function useListPages<Page extends { readonly nextCursor?: string | undefined }>(
  key: string,
  readPage: (cursor: string | undefined) => Promise<Page>,
  kept: Kept<readonly Page[]>,
): ListPages<Page> {
  async function readPages(count: number): Promise<readonly Page[]> {
    const pages: Page[] = [];
    do pages.push(await readPage(pages.at(-1)?.nextCursor));
    while (pages.length < count && pages.at(-1)?.nextCursor !== undefined);
    return pages;
  }

  const { state, place } = useKeptReading(key, (shown) => readPages(shown?.length ?? 1), kept);
  const [failure, setFailure] = useState<{ readonly place: string; readonly error: ConsoleError } | undefined>(
    undefined,
  );
  const [, redraw] = useState(0);
  const { answer: pages = [], reload } = state;
  const cursor = pages.at(-1)?.nextCursor;
  return {
    state: {
      ...state,
      reload: () => {
        setFailure(undefined);
        if (pages.length > 0) kept.keep(place, pages.slice(0, 1));
        reload();
      },
    },
    hasMore: cursor !== undefined,
    more: () => {
      setFailure(undefined);
      return readPage(cursor).then(
        (page) => {
          const now = kept.get(place) ?? pages;
          // A list that was read again meanwhile, or has got this page already, ends elsewhere.
          if (now.at(-1)?.nextCursor === cursor) kept.keep(place, [...now, page]);
          redraw((times) => times + 1);
        },
        (error: ConsoleError) => setFailure({ place, error }),
      );
    },
    error: failure?.place === place ? failure.error : undefined,
  };
}
