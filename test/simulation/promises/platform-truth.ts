import type { EntityKey } from '#shared/entities/entity-row.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import type { PlatformState } from './entity-oracle.ts';
import { erasedIds } from './erasures.ts';
import type { NotifiedEvent } from './promise.ts';
import { reportedStatusIn } from './reported-status.ts';
import { deadEvents, identify, storedRows } from './stored-events.ts';

/** An entity of the workload, and what the platform did with it. */
export type TrueEntity = {
  readonly key: EntityKey;
  /** Each state once, in the order in which the platform came to it. */
  readonly states: readonly PlatformState[];
};

type Receipts = { readonly firstReceivedOn: string; readonly lastReceivedOn: string };

/**
 * What the platform did with the entities of the workload, by the plan of the history. Entities are left out of which a
 * webhook waits in the DLQ, or was not received at all, and those that the partner had erased: other checks speak of those.
 */
export function trueEntities(system: SimulatedSystem, notified: readonly NotifiedEvent[]): readonly TrueEntity[] {
  const receipts = receiptsByContent(system);
  const dead = deadEvents(system);
  const erased = new Set(erasedIds(system));
  const inOrder = notified.toSorted((one, other) => one.number - other.number);
  const reports = inOrder.flatMap((event) => {
    const news = reportedStatusIn(system, event);
    return news === undefined ? [] : [{ ...news, event, receipts: receipts.get(contentKey(event)) }];
  });
  const byId = Map.groupBy(reports, ({ id }) => id);
  return [...byId].flatMap(([id, own]) => {
    const kind: EntityKind | undefined = own[0]?.kind;
    const isWhole = own.every(
      ({ event, receipts: some }) =>
        some !== undefined && !dead.has(identify(event.eventType, Buffer.from(event.body)).eventId),
    );
    if (kind === undefined || !isWhole || erased.has(id)) return [];
    const once = new Map(own.map((report) => [contentKey(report.event), report]));
    const states = [...once.values()].flatMap(({ status, modifiedOn, receipts: some }) =>
      some === undefined ? [] : [{ status, modifiedOn, ...some }],
    );
    return [{ key: { kind, id }, states }];
  });
}

/** Of each webhook that is stored, when it was received: whatever the order of its fields. */
function receiptsByContent(system: SimulatedSystem): ReadonlyMap<string, Receipts> {
  return new Map(
    storedRows(system).flatMap(({ eventType, deflatedBody, deliveryIds }) => {
      const times = deliveryIds.map((id) => id.slice(0, id.indexOf('#'))).toSorted();
      const [firstReceivedOn, lastReceivedOn] = [times.at(0), times.at(-1)];
      if (firstReceivedOn === undefined || lastReceivedOn === undefined) return [];
      const body = Buffer.from(inflateBody(deflatedBody)).toString();
      return [[contentKey({ eventType, body }), { firstReceivedOn, lastReceivedOn }] as const];
    }),
  );
}

/** Two webhooks have the same one where they say the same, whatever the order of their fields. */
export function contentKey({ eventType, body }: Pick<NotifiedEvent, 'eventType' | 'body'>): string {
  return `${eventType} ${body.startsWith('{') ? [...body.slice(1, -1).split(',')].toSorted().join() : body}`;
}
