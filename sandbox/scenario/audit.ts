import type { EventRow } from '#shared/event-row.ts';
import { inflateBody } from '#shared/webhook-delivery.ts';
import type { Notification } from './notifications.ts';

/** How the platform was answered. */
export type Sent = { readonly notification: Notification; readonly answered: boolean };

/** What was sent of a type, and what became of it. */
export type Tally = {
  readonly eventType: string;
  readonly sent: number;
  readonly answered: number;
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
};

/** What the sandbox's platform knows that it sent, held against what the event store has. */
export type Audit = {
  readonly tallies: readonly Tally[];
  /** Answered 200, and not in the event store with every delivery counted. */
  readonly lost: number;
  /** In the event store more than once, or with more deliveries than there were. */
  readonly doubled: number;
  /** In the event store with bytes that nobody sent. */
  readonly changed: number;
  /** Not answered 200: the platform keeps them as undelivered. */
  readonly refused: number;
};

/** Whether every webhook was answered, and is in the event store as it was sent, once. */
export function isFlawless({ lost, doubled, changed, refused }: Audit): boolean {
  return lost + doubled + changed + refused === 0;
}

export function auditEvents(sent: readonly Sent[], rows: readonly EventRow[]): Audit {
  const eventOf = new Map(sent.map(({ notification }) => [contentKey(notification), notification.event]));
  const found = Map.groupBy(rows, (row) => eventOf.get(contentKey(withBody(row))));
  const perEvent = [...Map.groupBy(sent, ({ notification }) => notification.event)].map(([event, deliveries]) => {
    const stored = found.get(event) ?? [];
    return {
      sent: deliveries.length,
      answered: deliveries.filter(({ answered }) => answered).length,
      rows: stored.length,
      counted: sum(stored, (row) => row.deliveries),
    };
  });
  return {
    tallies: tally(sent, rows),
    lost: sum(perEvent, ({ answered, counted }) => Math.max(0, answered - counted)),
    doubled: sum(perEvent, (event) => Math.max(0, event.rows - 1, event.counted - event.sent)),
    changed: found.get(undefined)?.length ?? 0,
    refused: sent.filter(({ answered }) => !answered).length,
  };
}

function tally(sent: readonly Sent[], rows: readonly EventRow[]): readonly Tally[] {
  const types = [...new Set(sent.map(({ notification }) => notification.eventType))].toSorted();
  return types.map((eventType) => {
    const ofType = sent.filter(({ notification }) => notification.eventType === eventType);
    const stored = rows.filter((row) => row.eventType === eventType);
    return {
      eventType,
      sent: ofType.length,
      answered: ofType.filter(({ answered }) => answered).length,
      stored: stored.length,
      duplicates: sum(stored, ({ deliveries }) => deliveries - 1),
      quarantined: stored.filter(({ quarantineReason }) => quarantineReason !== undefined).length,
    };
  });
}

type Content = { readonly eventType: string; readonly body: string };

/** The same for two webhooks only where they are of the same type, and the same byte for byte. */
export function contentKey({ eventType, body }: Content): string {
  return `${eventType} ${body}`;
}

export function withBody({ eventType, deflatedBody }: EventRow): Content {
  return { eventType, body: Buffer.from(inflateBody(deflatedBody)).toString() };
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
