import type { ListPages } from '#console/data/list-pages.ts';
import { ErrorPanel } from './states.tsx';

/** Below a list: reads its next page, and says why it could not. */
export function MorePages({ list: { hasMore, more, error } }: { readonly list: Omit<ListPages<unknown>, 'state'> }) {
  return (
    <>
      {error !== undefined && <ErrorPanel error={error} />}
      {hasMore && (
        <button type="button" class="button more" onClick={more}>
          Show more
        </button>
      )}
    </>
  );
}
