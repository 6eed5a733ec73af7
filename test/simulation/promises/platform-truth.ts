import type { EntityKey } from '#shared/entities/entity-row.ts';
import { type EventRow, isDrained } from '#shared/events/event-row.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import type { PlatformState } from './entity-oracle.ts';
import { erasedIds } from './erasures.ts';
import type { NotifiedEvent } from './promise.ts';
import { reportedStatusIn } from './reported-status.ts';
import { deadEvents, identify, storedRows } from './stored-events.ts';

/** An entity of the workload with its states on the platform. */
export type TrueEntity = {
  readonly key: EntityKey;
  /** Each state once, in the order of the platform. */
  readonly states: readonly PlatformState[];
};

type Receipts = Pick<PlatformState, 'firstReceivedOn' | 'lastReceivedOn'>;

/**
 * The states of the workload's entities, derived from the plan of the history. Entities with a webhook in the DLQ or without a
 * receipt are left out, as are erased entities. Other checks cover these.
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

/** The receipts of each stored webhook, by content. */
function receiptsByContent(system: SimulatedSystem): ReadonlyMap<string, Receipts> {
  return new Map(
    storedRows(system).flatMap((row) => {
      const times = row.deliveryIds.map((id) => id.slice(0, id.indexOf('#'))).toSorted();
      const [firstReceivedOn, lastReceivedOn] = [times.at(0), times.at(-1)];
      if (firstReceivedOn === undefined || lastReceivedOn === undefined) return [];
      return [
        [contentKeyOf(row), { firstReceivedOn, lastReceivedOn: isDrained(row) ? undefined : lastReceivedOn }] as const,
      ];
    }),
  );
}

/** The content of each stored body. Cached, because several checks compare the same bodies. */
const contents = new WeakMap<Uint8Array, string>();

/** The {@link contentKey} of a stored event. */
export function contentKeyOf({ eventType, deflatedBody }: Pick<EventRow, 'eventType' | 'deflatedBody'>): string {
  const content = contents.get(deflatedBody) ?? contentOf(Buffer.from(inflateBody(deflatedBody)).toString());
  contents.set(deflatedBody, content);
  return `${eventType} ${content}`;
}

/** A key that is equal for webhooks with equal content, for every order of the fields. */
export function contentKey({ eventType, body }: Pick<NotifiedEvent, 'eventType' | 'body'>): string {
  return `${eventType} ${contentOf(body)}`;
}

function contentOf(body: string): string {
  return body.startsWith('{') ? [...body.slice(1, -1).split(',')].toSorted().join() : body;
}
