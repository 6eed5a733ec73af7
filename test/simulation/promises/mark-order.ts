import type { UndeliveredRecord } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import type { BrokenPromise } from './promise.ts';

export type MarkOrder = {
  /** Called before a mark of this record is sent. */
  readonly begin: (id: string) => BrokenPromise | undefined;
  /** Called with the status of the response. */
  readonly answered: (id: string, status: number) => void;
};

/** Statuses after which the mark can still take effect later, or never reached the platform. */
const unsettled: ReadonlySet<number> = new Set([401, 408, 429]);

/** Promise 5: no newer mark is sent while the result of a mark is unknown, because a mark can shift the pages of a cursor. */
export function createMarkOrder(records: () => readonly UndeliveredRecord[]): MarkOrder {
  /** The createdOn of each record, by id. */
  const times = new Map<string, string>();
  const unknown = new Set<string>();
  const settled = new Set<string>();

  return {
    begin: (id) => {
      for (const { id: one, createdOn } of records()) times.set(one, createdOn ?? '');
      const time = times.get(id) ?? '';
      // A repeated mark resends all its records. An answered mark has no further effect.
      const isNewer = !settled.has(id) && [...unknown].some((other) => time > (times.get(other) ?? ''));
      if (!settled.has(id)) unknown.add(id);
      return isNewer
        ? { promise: 5, what: `${id} is marked while the result of an earlier mark is unknown.` }
        : undefined;
    },
    answered: (id, status) => {
      if (status >= 500 || unsettled.has(status)) return;
      settled.add(id);
      unknown.delete(id);
    },
  };
}
