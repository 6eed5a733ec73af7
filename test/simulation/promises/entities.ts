import { detailTypeOf } from '#shared/bus/event-details.ts';
import {
  type EntityKey,
  isState,
  keyOfState,
  readEvent,
  readState,
  type TimelineEntry,
} from '#shared/entities/entity-row.ts';
import { type EntityView, viewOf } from '#shared/entities/merge/entity-view.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { type ExpectedView, expectedTransactionStatus, expectedView } from './entity-oracle.ts';
import { trueEntities } from './platform-truth.ts';
import type { BrokenPromise, FinalCheck } from './promise.ts';
import { readOnce } from './read-once.ts';
import { deadEvents, type StoredEvent, storedEvents } from './stored-events.ts';

type LiveState = Extract<ReturnType<typeof readState>, { readonly known: unknown }>;

const readStateOnce = readOnce(readState);
const readEventOnce = readOnce(readEvent);

function stateOf({ cloud }: SimulatedSystem, key: EntityKey): LiveState | undefined {
  const item = cloud.dynamodb.table('entities').get(keyOfState(key));
  const state = item && readStateOnce(item);
  return state !== undefined && 'known' in state ? state : undefined;
}

/** The view of an entity; undefined for an unknown entity. */
export function entityViewOf(system: SimulatedSystem, key: EntityKey): EntityView | 'erased' | undefined {
  const item = system.cloud.dynamodb.table('entities').get(keyOfState(key));
  const state = item && readStateOnce(item);
  if (state === undefined) return undefined;
  return 'known' in state ? viewOf(entityRules[key.kind], state.known) : 'erased';
}

/** All events of an entity in the table. */
export function timelineOf(system: SimulatedSystem, key: EntityKey): readonly TimelineEntry[] {
  const { entity } = keyOfState(key);
  const isOfEntity = (item: Item) => item['entity']?.S === entity?.S && !isState(item);
  const events = system.cloud.dynamodb.table('entities').all(isOfEntity).map(readEventOnce);
  return [...events, ...(stateOf(system, key)?.latest ?? [])];
}

type Placed = { readonly key: EntityKey; readonly events: readonly StoredEvent[] };

/** The entities of the stored events, except entities with an event in the DLQ. */
function placedEvents(system: SimulatedSystem): readonly Placed[] {
  const byKey = Map.groupBy(storedEvents(system), ({ event }) =>
    event?.placed === undefined ? undefined : `${event.placed.kind}#${event.placed.id}`,
  );
  const dead = deadEvents(system);
  return [...byKey.values()].flatMap((events) => {
    const placed = events[0]?.event?.placed;
    const isWhole = events.every(({ eventId }) => !dead.has(eventId));
    return placed === undefined || !isWhole ? [] : [{ key: { kind: placed.kind, id: placed.id }, events }];
  });
}

/** Promise 4: the view of each entity and its last bus event match the platform, for every order of the webhooks. */
export const checkViews: FinalCheck = (system, notified) => {
  const latestOnBus = latestChanges(system);
  return firstOf(trueEntities(system, notified), ({ key, states }) => {
    system.judged(4);
    const what = differenceFrom(expectedView(key.kind, states), entityViewOf(system, key));
    if (what !== undefined) return { promise: 4, what: `${key.id} ${what}` };
    const onBus = latestOnBus.get(`${key.kind}#${key.id}`);
    const isSame = onBus === undefined || isSameView(key.kind, onBus, entityViewOf(system, key));
    return isSame ? undefined : { promise: 4, what: `${key.id} is ${onBus.status} on the bus, and its view differs.` };
  });
};

/** Describes how the view of an entity differs from the expected one. */
function differenceFrom(expected: ExpectedView, view: EntityView | 'erased' | undefined): string | undefined {
  if (view === undefined || view === 'erased') return 'has no view.';
  const { statuses, toReadBack, openReportOn, isContradiction } = expected;
  if (!statuses.includes(view.status)) return `has the status ${view.status}, and the platform has ${statuses}.`;
  if (toReadBack !== undefined && view.toReadBack !== toReadBack)
    return `is ${view.toReadBack ? '' : 'not '}marked to be read back.`;
  if (openReportOn === 'unknown' ? view.openReportOn === undefined : view.openReportOn !== openReportOn)
    return `has an open report of ${view.openReportOn} instead of ${openReportOn}.`;
  if (view.anomalies.length > 0 !== isContradiction) return `has the anomalies "${view.anomalies}".`;
  return undefined;
}

type ChangeOnBus = {
  readonly sequence: number;
  readonly status: string | undefined;
  readonly transactionStatus: string | undefined;
};

/** The change with the highest sequence of each entity. */
function latestChanges({ cloud }: SimulatedSystem): ReadonlyMap<string, ChangeOnBus> {
  const latest = new Map<string, ChangeOnBus>();
  for (const { detailType, detail } of cloud.eventBridge.published()) {
    const { kind, id, sequence, status, transactionStatus, onboardingId } = JSON.parse(detail);
    if (sequence === undefined || onboardingId !== undefined || detailType === 'DriftRepaired') continue;
    const before = latest.get(`${kind}#${id}`);
    if (before === undefined || before.sequence < sequence)
      latest.set(`${kind}#${id}`, { sequence, status, transactionStatus });
  }
  return latest;
}

function isSameView(kind: EntityKind, onBus: ChangeOnBus, view: EntityView | 'erased' | undefined): boolean {
  if (view === undefined || view === 'erased') return true;
  const isSameStatus = onBus.status === view.status;
  return isSameStatus && onBus.transactionStatus === expectedTransactionStatus(kind, view.status);
}

/** Promise 2: each change is published with the same content each time, so that consumers can go by the sequence. */
export const checkPublished: FinalCheck = (system) => {
  const details = new Map<string, string>();
  for (const { detailType, detail } of system.cloud.eventBridge.published()) {
    const { kind, id, sequence, eventId, onboardingId } = JSON.parse(detail);
    if (onboardingId !== undefined) continue;
    const change = detailType === 'DriftRepaired' ? `drift ${kind}#${id}` : `${kind}#${id}`;
    const key = sequence === undefined ? `${detailType} ${eventId}` : `${change} ${sequence}`;
    const isSame = (details.get(key) ?? detail) === detail;
    if (!isSame && (sequence !== undefined || detailType.endsWith('StatusReported')))
      return { promise: 2, what: `${key} of ${id} was published with different contents.` };
    details.set(key, detail);
  }
  system.judged(2, details.size);
  return firstOf(placedEvents(system), ({ key: { kind, id } }) => {
    const timeline = timelineOf(system, { kind, id });
    const changes = timeline.flatMap(({ change }) => change?.version ?? []);
    const lost = changes.find((version) => !details.has(`${kind}#${id} ${version}`));
    if (lost !== undefined) return { promise: 2, what: `Change ${lost} of ${id} was never published.` };
    if (!system.environment.reportedKinds.includes(kind)) return undefined;
    const isPublished = ({ eventId, status, effect, change }: TimelineEntry) =>
      status === undefined ||
      effect === 'duplicate' ||
      change?.status === status ||
      details.get(`${detailTypeOf(kind, 'StatusReported')} ${eventId}`)?.includes(`"status":"${status}"`);
    const unpublished = timeline.find((entry) => !isPublished(entry));
    return unpublished && { promise: 2, what: `The status ${unpublished.status} of ${id} was never published.` };
  });
};

function firstOf<Item>(
  items: readonly Item[],
  check: (item: Item) => BrokenPromise | undefined,
): BrokenPromise | undefined {
  for (const item of items) {
    const broken = check(item);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
