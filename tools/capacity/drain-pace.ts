import { assumptions } from '#cli/cost/assumptions.ts';
import { drainInterval } from '#infra/retry-undelivered/drain.ts';
import { reserveMs } from '#shared/lambda/handler.ts';

/** Pages that a run has listed, or committed, and not saved when its time is over. The next run lists them again. */
const unsavedPages = 2;

/** Undelivered webhooks a second: what the platform's list gives, page after page, and what the runs of `drain` store of that. */
export function drainPace(pageSize: number): { readonly listed: number; readonly stored: number } {
  const interval = drainInterval.toMilliseconds();
  const page = assumptions.pageMs.value;
  const pages = (interval - reserveMs - assumptions.drainStartMs.value) / page - unsavedPages;
  return { listed: (pageSize * 1_000) / page, stored: Math.floor((pages * pageSize * 1_000) / interval) };
}
