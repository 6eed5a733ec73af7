import { countOf } from '#cli/output/count-of.ts';
import type { QueueStatus } from './read-queues.ts';

/** How many messages a queue holds, those included that a reader has: `3 (1 being read)`. */
export function formatCount({ waiting, inFlight }: Pick<QueueStatus, 'waiting' | 'inFlight'>): string {
  return inFlight === 0 ? String(waiting) : `${waiting + inFlight} (${inFlight} being read)`;
}

/** The count with its noun: `1 message`, `3 messages (1 being read)`. */
export function formatMessages({ waiting, inFlight }: Pick<QueueStatus, 'waiting' | 'inFlight'>): string {
  return `${countOf(waiting + inFlight, 'message')}${inFlight === 0 ? '' : ` (${inFlight} being read)`}`;
}
