import { drainInterval } from '#infra/retry-undelivered/drain.ts';
import { reserveMs } from '#shared/lambda/handler.ts';
import { durations } from './durations.ts';

/** Pages that a run has listed, or committed, and not saved when its time is over. The next run lists them again. */
const unsavedPages = 2;

/** Undelivered webhooks a second: what the platform's list gives, page after page, and what the runs of `drain` store of that. */
export function drainPace(pageSize: number): { readonly listed: number; readonly stored: number } {
  const interval = drainInterval.toMilliseconds();
  const page = durations.platformPage.ms;
  const pages = (interval - reserveMs - durations.drainStart.ms) / page - unsavedPages;
  return { listed: (pageSize * 1_000) / page, stored: Math.floor((pages * pageSize * 1_000) / interval) };
}
