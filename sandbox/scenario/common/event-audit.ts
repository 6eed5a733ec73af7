import type { EventRow } from '#shared/events/event-row.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import type { Notification } from './notifications.ts';

/** A notification that the platform sent, and whether Drawbridge answered 2xx. */
export type Sent = {
  readonly notification: Notification;
  readonly answered: boolean;
  /** How often the platform sent it: more than once if an answer came too late. Once unless given. */
  readonly attempts?: number;
};

/** The numbers for one event type. */
export type Tally = {
  readonly eventType: string;
  readonly sent: number;
  readonly answered: number;
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
};

/** Compares what the sandbox platform has sent with the event store. */
export type Audit = {
  readonly tallies: readonly Tally[];
  /** Deliveries that were answered 2xx and are not counted in the event store. */
  readonly lost: number;
  /** Events that are stored more than once, or with more deliveries than were sent. */
  readonly doubled: number;
  /** Stored bodies that were never sent. */
  readonly changed: number;
  /** Deliveries without a 2xx answer, which the platform keeps as undelivered. */
  readonly refused: number;
};

/** Whether every webhook was answered and is stored exactly once, as it was sent. */
export function isFlawless({ lost, doubled, changed, refused }: Audit): boolean {
  return lost + doubled + changed + refused === 0;
}

export function auditEvents(sent: readonly Sent[], rows: readonly EventRow[]): Audit {
  const eventOf = new Map(sent.map(({ notification }) => [contentKey(notification), notification.event]));
  const found = Map.groupBy(rows, (row) => eventOf.get(contentKey(withBody(row))));
  const perEvent = [...Map.groupBy(sent, ({ notification }) => notification.event)].map(([event, deliveries]) => {
    const stored = found.get(event) ?? [];
    return {
      attempts: sum(deliveries, ({ attempts = 1 }) => attempts),
      answered: deliveries.filter(({ answered }) => answered).length,
      rows: stored.length,
      counted: sum(stored, (row) => row.deliveries),
    };
  });
  return {
    tallies: tally(sent, rows),
    lost: sum(perEvent, ({ answered, counted }) => Math.max(0, answered - counted)),
    doubled: sum(perEvent, (event) => Math.max(0, event.rows - 1, event.counted - event.attempts)),
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
      duplicates: countRepeated(stored),
      quarantined: stored.filter(({ quarantineReason }) => quarantineReason !== undefined).length,
    };
  });
}

/** How often webhooks with equal content were delivered beyond the first time. */
export function countRepeated(rows: readonly EventRow[]): number {
  return sum(rows, ({ deliveries }) => deliveries - 1);
}

type Content = { readonly eventType: string; readonly body: string };

/** Equal only for two webhooks with the same type and the same bytes. */
export function contentKey({ eventType, body }: Content): string {
  return `${eventType} ${body}`;
}

export function withBody({ eventType, deflatedBody }: EventRow): Content {
  return { eventType, body: Buffer.from(inflateBody(deflatedBody)).toString() };
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
