import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { AnswerOf, BatchCall } from '#shared/entities/entity-store.ts';

/** An event, as EventBridge takes it. */
export type BusEntry = { readonly detailType: string; readonly detail: Readonly<Record<string, unknown>> };

export type Bus = {
  /** Resolves once EventBridge has all of them, ten at the most. @throws `BusError` when it may not have one */
  readonly publish: (events: readonly BusEntry[]) => Promise<void>;
  /**
   * Publishes groups of events in as few calls as possible. The answer to a group throws a `BusError` when EventBridge may
   * not have each of its events. A group has ten events at the most.
   */
  readonly publishAll: BatchCall<readonly BusEntry[], void>;
};

type BusDeps = {
  readonly eventBridge: Pick<EventBridgeClient, 'send'>;
  /** The name of the bus, or its ARN. */
  readonly busName: string;
};

/** What the events of the bus name as their source. */
export const busSource = 'drawbridge';

/**
 * The limits of one call, in events and in bytes:
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html
 */
const limits = { events: 10, bytes: 262_144 };

type Group = readonly BusEntry[];

export function createBus({ eventBridge, busName }: BusDeps): Bus {
  async function publishAll(groups: readonly Group[]): Promise<AnswerOf<Group, void>> {
    const refused = new Map<Group, DrawbridgeError>();
    await Promise.all(
      partsOf(groups).map(async (part) => {
        for (const [group, error] of await refusedOf(part)) refused.set(group, error);
      }),
    );
    return (group) => {
      const error = refused.get(group);
      if (error !== undefined) throw error;
    };
  }

  /** The groups that EventBridge may not have. */
  async function refusedOf(groups: readonly Group[]): Promise<ReadonlyMap<Group, DrawbridgeError>> {
    try {
      const results = (await put(groups.flat())).Entries?.values() ?? [].values();
      // An event without an id is not taken, even if the answer names no error.
      const isTaken = (group: Group) => group.map(() => results.next().value?.EventId !== undefined).every(Boolean);
      const refusal = () =>
        new DrawbridgeError('BusError', 'EventBridge did not take every event: publish them again.');
      return new Map(groups.filter((group) => !isTaken(group)).map((group) => [group, refusal()]));
    } catch (cause) {
      const error = new DrawbridgeError('BusError', 'EventBridge did not take the events: publish them again.', {
        cause,
      });
      return new Map(groups.map((group) => [group, error]));
    }
  }

  function put(events: Group) {
    const Entries = events.map((event) => ({ EventBusName: busName, Source: busSource, ...entryOf(event) }));
    return eventBridge.send(new PutEventsCommand({ Entries }));
  }

  return { publishAll, publish: async (events) => (await publishAll([events]))(events) };
}

function entryOf({ detailType, detail }: BusEntry) {
  return { DetailType: detailType, Detail: JSON.stringify(detail) };
}

/** Fills calls with whole groups, in their order. */
function partsOf(groups: readonly Group[]): readonly (readonly Group[])[] {
  const parts: Group[][] = [];
  let [events, bytes] = [0, 0];
  for (const group of groups) {
    const size = group.reduce((sum, event) => sum + bytesOf(event), 0);
    events += group.length;
    bytes += size;
    const part = parts.at(-1);
    if (part !== undefined && events <= limits.events && bytes <= limits.bytes) {
      part.push(group);
      continue;
    }
    [events, bytes] = [group.length, size];
    parts.push([group]);
  }
  return parts;
}

function bytesOf(event: BusEntry): number {
  const { DetailType, Detail } = entryOf(event);
  return Buffer.byteLength(busSource) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);
}
