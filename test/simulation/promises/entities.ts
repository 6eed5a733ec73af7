import { entityRules } from '#shared/entities/entity-rules.ts';
import { isSameKnowledge, knowledgeOf, mergeKnowledge, nothingKnown } from '#shared/entities/knowledge.ts';
import { type Shown, show } from '#shared/entities/shown.ts';
import { type EntityKey, isState, keyOfState, readEvent, readState, type TimelineEntry } from '#shared/entity-row.ts';
import { firstReceivedOn, lastReceivedOn } from '#shared/event-row.ts';
import type { World } from '#test/simulation/world/world.ts';
import type { Broken, FinalCheck } from './promise.ts';
import { readOnce } from './read-once.ts';
import { deadEvents, type StoredEvent, storedEvents } from './stored-events.ts';
import { newsIn } from './told-news.ts';

type LiveState = Extract<ReturnType<typeof readState>, { readonly known: unknown }>;

const readStateOnce = readOnce(readState);
const readEventOnce = readOnce(readEvent);

function stateOf({ cloud }: World, key: EntityKey): LiveState | undefined {
  const item = cloud.dynamodb.table('entities').get(keyOfState(key));
  const state = item && readStateOnce(item);
  return state !== undefined && 'known' in state ? state : undefined;
}

/** An entity as it is shown; undefined where nothing is known of it. */
export function shownOf(world: World, key: EntityKey): Shown | 'erased' | undefined {
  const item = world.cloud.dynamodb.table('entities').get(keyOfState(key));
  const state = item && readState(item);
  if (state === undefined) return undefined;
  return 'known' in state ? show(entityRules[key.kind], state.known) : 'erased';
}

/** All events that the table has of an entity. */
export function timelineOf(world: World, key: EntityKey): readonly TimelineEntry[] {
  const { entity } = keyOfState(key);
  const items = world.cloud.dynamodb.table('entities').all();
  const events = items.filter((item) => item['entity']?.S === entity?.S && !isState(item)).map(readEventOnce);
  return [...events, ...(stateOf(world, key)?.latest ?? [])];
}

type Placed = { readonly key: EntityKey; readonly events: readonly StoredEvent[] };

/** The entities that the stored events speak of; without those of which some wait for a hand. */
function placedEvents(world: World): readonly Placed[] {
  const byKey = Map.groupBy(storedEvents(world), ({ event }) =>
    event?.placed === undefined ? undefined : `${event.placed.kind}#${event.placed.id}`,
  );
  const dead = deadEvents(world);
  return [...byKey.values()].flatMap((events) => {
    const placed = events[0]?.event?.placed;
    const isWhole = events.every(({ eventId }) => !dead.has(eventId));
    return placed === undefined || !isWhole ? [] : [{ key: { kind: placed.kind, id: placed.id }, events }];
  });
}

/** Promise 4: what is known of an entity is what its events say together, in whatever order. */
export const checkStates: FinalCheck = (world) =>
  firstOf(placedEvents(world), ({ key, events }) => {
    const state = stateOf(world, key);
    const rules = entityRules[key.kind];
    const expected = events.reduce((known, row) => {
      if (row.event?.placed === undefined) return known;
      const { placed, ...event } = row.event;
      const told = { ...placed, ...('readBack' in event && { readBack: event.readBack }) };
      return mergeKnowledge(
        rules,
        known,
        knowledgeOf(rules, { ...told, receivedOn: lastReceivedOn(row), firstReceivedOn: firstReceivedOn(row) }),
      );
    }, nothingKnown);
    if (state !== undefined && isSameKnowledge(state.known, expected)) return undefined;
    return { promise: 4, what: `What is known of ${key.id} is not what its events say together.` };
  });

/** Promise 4: of timed news the latest decides, to the nanosecond. */
export const checkLatest: FinalCheck = (world, told) => {
  const news = told.flatMap((event) => newsIn(world, event) ?? []);
  const dead = deadEvents(world).size > 0;
  const byId = Map.groupBy(news, ({ id }) => id);
  return firstOf([...byId.values()], (some) => {
    const [first] = some;
    const isTimed = some.every(({ modifiedOn }) => modifiedOn !== undefined);
    if (first === undefined || !isTimed || dead) return undefined;
    // All are written alike: as texts they sort by time.
    const [latest] = some.toSorted((one, other) => ((one.modifiedOn ?? '') < (other.modifiedOn ?? '') ? 1 : -1));
    const state = stateOf(world, first);
    const status = state && show(entityRules[first.kind], state.known).status;
    if (status === latest?.status) return undefined;
    return { promise: 4, what: `${first.id} is shown as ${status}, and the platform says ${latest?.status}.` };
  });
};

/** Promise 2: each change is published, and says the same each time; whoever goes by sequence ends right. */
export const checkPublished: FinalCheck = (world) => {
  const details = new Map<string, string>();
  for (const { detailType, detail } of world.cloud.eventBridge.published()) {
    const { kind, id, sequence, eventId, onboardingId } = JSON.parse(detail);
    if (onboardingId !== undefined) continue;
    const change = detailType === 'DriftRepaired' ? `drift ${kind}#${id}` : `${kind}#${id}`;
    const key = sequence === undefined ? `${detailType} ${eventId}` : `${change} ${sequence}`;
    if (sequence !== undefined && (details.get(key) ?? detail) !== detail)
      return { promise: 2, what: `Change ${sequence} of ${id} was published with different contents.` };
    details.set(key, detail);
  }
  return firstOf(placedEvents(world), ({ key: { kind, id } }) => {
    const changes = timelineOf(world, { kind, id }).flatMap(({ change }) => change?.version ?? []);
    const lost = changes.find((version) => !details.has(`${kind}#${id} ${version}`));
    return lost === undefined ? undefined : { promise: 2, what: `Change ${lost} of ${id} was never published.` };
  });
};

function firstOf<Item>(items: readonly Item[], check: (item: Item) => Broken | undefined): Broken | undefined {
  for (const item of items) {
    const broken = check(item);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
