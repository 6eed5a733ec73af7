type TimedStatus = { status: string; modifiedOn: string };

type StoredState = {
  seen: Record<string, string[]>;
  firstReceivedOn?: Record<string, string> | undefined;
  overflow?: TimedStatus | undefined;
  answer?: (TimedStatus & { readOn: string }) | undefined;
  heardOn?: string | undefined;
  settledOn?: string | undefined;
  reasonCodes?: Record<string, string[]> | undefined;
};

type EarlierState = StoredState & { timed?: TimedStatus | undefined; untimed?: string | undefined };

/** Where rows of an earlier release keep the times of all statuses that the table does not have. */
const unknownStatuses = '*';

/** Before any receipt: earlier releases did not keep when an unknown status was first received. */
const beforeAll = '1970-01-01T00:00:00.000Z';

/**
 * What is known, from a row of any release.
 *
 * Earlier releases kept the latest timed status and the highest untimed one beside `seen`, and no unknown status in `seen`.
 * The two may be unknown: they go where all statuses are now.
 */
export function readEarlierState({ timed, untimed, ...stored }: EarlierState): StoredState {
  const { [unknownStatuses]: times = [], ...seen } = stored.seen;
  const statuses = [timed?.status, untimed].filter((status) => status !== undefined);
  const moved = statuses.filter((status) => !Object.hasOwn(seen, status));
  const isMoved = (status: string | undefined): status is string => moved.some((one) => one === status);
  const latest = times.at(-1);
  // A timed status that is moved is the latest of them.
  const isOther = latest !== undefined && !isMoved(timed?.status);
  return {
    seen: {
      ...seen,
      ...(isMoved(untimed) && { [untimed]: [] }),
      ...(timed && isMoved(timed.status) && { [timed.status]: [timed.modifiedOn] }),
    },
    firstReceivedOn: firstReceipts(stored.firstReceivedOn, moved),
    overflow: isOther ? { status: unknownStatuses, modifiedOn: latest } : stored.overflow,
    answer: stored.answer,
    heardOn: stored.heardOn,
    settledOn: stored.settledOn,
    reasonCodes: stored.reasonCodes,
  };
}

function firstReceipts(first: Record<string, string> | undefined, moved: readonly string[]) {
  if (moved.length === 0) return first;
  return { ...first, ...Object.fromEntries(moved.map((status) => [status, beforeAll])) };
}
