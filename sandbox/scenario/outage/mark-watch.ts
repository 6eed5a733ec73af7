import * as z from 'zod';
import type { Platform } from '#sandbox/platform/app/platform.ts';
import { contentKey, withBody } from '#sandbox/scenario/common/event-audit.ts';
import type { Notification } from '#sandbox/scenario/common/notifications.ts';
import type { EventRow } from '#shared/events/event-row.ts';

export type MarkWatchDeps = {
  readonly platform: Pick<Platform, 'profile'> & { readonly undelivered: Pick<Platform['undelivered'], 'all'> };
  readonly notifications: readonly Notification[];
  readonly readEvents: () => Promise<readonly EventRow[]>;
};

/** Checks every call that marks webhooks as delivered, before the platform carries it out. */
export type MarkWatch = {
  readonly onCall: (request: Request) => Promise<void>;
  readonly marks: () => {
    readonly calls: number;
    /** The number of webhooks that a call marked before they were in the event store. */
    readonly early: number;
  };
};

const markRequest = z.object({ undeliveredWebhookId: z.string() });

/**
 * Checks promise 5: each delivery that a mark covers must be in the event store when the call is made.
 */
export function createMarkWatch({ platform, notifications, readEvents }: MarkWatchDeps): MarkWatch {
  const eventOf = new Map(notifications.map((notification) => [contentKey(notification), notification.event]));
  /** The records of each event that were marked so far. */
  const marked = new Map<number | undefined, Set<string>>();
  let calls = 0;
  let early = 0;

  /** The records that this call marks: none if the platform does not know the id. */
  function coveredBy(id: string) {
    const all = platform.undelivered.all();
    return all.slice(0, all.findIndex((record) => record.id === id) + 1);
  }

  async function check(id: string): Promise<void> {
    const events = coveredBy(id).map((record) => {
      const event = eventOf.get(contentKey({ eventType: record.webhook?.eventType ?? '', body: record.body ?? '' }));
      const records = marked.get(event) ?? new Set();
      marked.set(event, records.add(record.id));
      return event;
    });
    const counted = countDeliveries(await readEvents(), eventOf);
    early += [...new Set(events)].filter((event) => (counted.get(event) ?? 0) < (marked.get(event)?.size ?? 0)).length;
  }

  return {
    onCall: async (request) => {
      const isMark = new URL(request.url).pathname === platform.profile.webhookPaths.markDelivered;
      if (request.method !== 'POST' || !isMark) return;
      calls += 1;
      await check(markRequest.parse(await request.clone().json()).undeliveredWebhookId);
    },
    marks: () => ({ calls, early }),
  };
}

function countDeliveries(
  rows: readonly EventRow[],
  eventOf: ReadonlyMap<string, number>,
): ReadonlyMap<number | undefined, number> {
  const counted = new Map<number | undefined, number>();
  for (const row of rows) {
    const event = eventOf.get(contentKey(withBody(row)));
    if (event !== undefined) counted.set(event, (counted.get(event) ?? 0) + row.deliveries);
  }
  return counted;
}
