import type { TailLine } from './tail-line.ts';

/**
 * Puts each webhook ahead of the bus events that it caused, as they happened. Webhooks keep their order, and so do bus events.
 *
 * @param webhooks the oldest first
 */
export function mergeLines(webhooks: readonly TailLine[], busEvents: readonly TailLine[]): readonly TailLine[] {
  const left = [...webhooks];
  const merged = busEvents.flatMap((busEvent) => {
    const cause = left.findIndex(({ eventId }) => eventId !== undefined && eventId === busEvent.eventId);
    return [...left.splice(0, cause + 1), busEvent];
  });
  return [...merged, ...left];
}
