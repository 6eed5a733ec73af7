import type { UndeliveredRecord } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import type { BrokenPromise } from './promise.ts';

export type MarkOrder = {
  /** A mark of this record is called. */
  readonly begin: (id: string) => BrokenPromise | undefined;
  /** The caller has got this answer to it. */
  readonly answered: (id: string, status: number) => void;
};

/** Answers after which the platform may yet carry out the mark, or was not asked at all. */
const unsettled: ReadonlySet<number> = new Set([401, 408, 429]);

/** Promise 5: while it is not known what a mark has done, no newer one is sent: it may move what a cursor counts. */
export function createMarkOrder(records: () => readonly UndeliveredRecord[]): MarkOrder {
  /** By the id of a record: its createdOn. */
  const times = new Map<string, string>();
  const unknown = new Set<string>();
  const settled = new Set<string>();

  return {
    begin: (id) => {
      for (const { id: one, createdOn } of records()) times.set(one, createdOn ?? '');
      const time = times.get(id) ?? '';
      // A mark of several records is sent again whole: what was answered once moves nothing any more.
      const isNewer = !settled.has(id) && [...unknown].some((other) => time > (times.get(other) ?? ''));
      if (!settled.has(id)) unknown.add(id);
      return isNewer
        ? { promise: 5, what: `${id} is marked, and it is not known what the mark before has done.` }
        : undefined;
    },
    answered: (id, status) => {
      if (status >= 500 || unsettled.has(status)) return;
      settled.add(id);
      unknown.delete(id);
    },
  };
}
