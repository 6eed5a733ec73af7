import { RefusedError } from '#sandbox/platform/core/refused-error.ts';

/** When a record came to a status. */
export type StatusChange<Status> = { readonly status: Status; readonly modifiedOn: string };

/** The status of a record, and how it came to it. Timestamps are those of the platform's clock. */
export type Life<Status> = {
  readonly status: Status;
  readonly createdOn: string;
  readonly modifiedOn: string;
  readonly history: readonly StatusChange<Status>[];
};

/** The next statuses of each status: none where it is final. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

export type LifeCycle<Status extends string> = ReturnType<typeof createLifeCycle<Status>>;

/** Keeps records within the transitions. */
export function createLifeCycle<Status extends string>(
  transitions: Transitions<Status>,
  { timestamp }: { readonly timestamp: () => string },
) {
  function begin(status: Status): Life<Status> {
    const createdOn = timestamp();
    return { status, createdOn, modifiedOn: createdOn, history: [{ status, modifiedOn: createdOn }] };
  }

  const allows = ({ status }: Life<Status>, next: Status) => transitions[status].includes(next);

  /** @throws {RefusedError} Conflict: says what would be legal */
  function check(life: Life<Status>, next: Status): void {
    if (allows(life, next)) return;
    const legal = transitions[life.status].join(', ') || 'nothing: it is final';
    throw new RefusedError(409, `From ${life.status} there is no way to ${next}. Legal is: ${legal}.`);
  }

  /** @throws {RefusedError} Conflict: says what would be legal */
  function move({ createdOn, ...life }: Life<Status>, status: Status): Life<Status> {
    check({ createdOn, ...life }, status);
    const modifiedOn = timestamp();
    return { status, createdOn, modifiedOn, history: [...life.history, { status, modifiedOn }] };
  }

  return { begin, allows, check, move };
}
