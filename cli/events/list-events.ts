import { hintAt } from '#cli/command/known-word.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import { readEvents } from '#cli/deployment/api-reads.ts';
import type { Output } from '#cli/output/output.ts';
import { eventTypes } from '#shared/platform/profile/event-place.ts';

export type ListEventsProps = {
  readonly api: ApiClient;
  readonly output: Output;
  readonly filter: {
    readonly eventType?: string | undefined;
    readonly quarantineReason?: string | undefined;
    readonly receivedFrom?: string | undefined;
    readonly receivedTo?: string | undefined;
  };
  readonly limit: number;
};

/** Prints a list of events. @returns how many */
export async function listEvents({ api, output, filter, limit }: ListEventsProps): Promise<number> {
  const { items, hasMore } = await readEvents(api, filter, limit);
  output.list(items, {
    head: ['event id', 'type', 'received', 'quarantine reason'],
    row: ({ eventId, eventType, receivedOn, quarantineReason }) => [eventId, eventType, receivedOn, quarantineReason],
    none: 'No event matches.',
  });
  const hint = items.length === 0 ? hintAt(filter.eventType, { what: 'event type', words: eventTypes }) : undefined;
  if (hint !== undefined) output.note(hint);
  if (hasMore) output.note(`There are more. To see them, raise --limit above ${limit}, or set --to.`);
  return items.length;
}
