import { assumptions } from '#cli/cost/assumptions.ts';

/** Persons in a page of the platform's list. */
const pageSize = 20;

/** A day on which each of a partner's persons gets a webhook without a time, so that each is to be read back. */
export type PersonsDay = {
  /** Read back in one run: with a call for each, and by pages of the platform's list. */
  readonly byCall: number;
  readonly byPage: number;
  /** Until the last one is read back. */
  readonly runs: number;
  readonly hours: number;
};

export type PersonsDayProps = {
  readonly persons: number;
  readonly reconciliation: { readonly everyHours: number; readonly callsPerSecond: number };
};

/** In seconds: the parts of a run of 15 minutes. */
const partSeconds = 420;

/** How long `reconcile` takes to read every person back. Pages are read one after the other. */
export function personsDay({ persons, reconciliation }: PersonsDayProps): PersonsDay {
  const { everyHours, callsPerSecond } = reconciliation;
  const byCall = partSeconds * callsPerSecond;
  const byPage = partSeconds * Math.min(callsPerSecond, 1_000 / assumptions.pageMs.value) * pageSize;
  const runs = Math.ceil(persons / (byCall + byPage));
  return { byCall, byPage, runs, hours: runs * everyHours };
}
