import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';

/** An event, as EventBridge takes it. */
export type BusEntry = { readonly detailType: string; readonly detail: Readonly<Record<string, unknown>> };

export type Bus = {
  /** Resolves once EventBridge has all of them, ten at the most. @throws {BusError} when it may not have one */
  readonly publish: (events: readonly BusEntry[]) => Promise<void>;
};

export type BusDeps = {
  readonly eventBridge: Pick<EventBridgeClient, 'send'>;
  /** The name of the bus, or its ARN. */
  readonly busName: string;
};

/** EventBridge did not confirm an event: it is to be published again. */
export class BusError extends DrawbridgeError {
  override readonly name = 'BusError';
}

/** What the events of the bus name as their source. */
export const busSource = 'drawbridge';

export function createBus({ eventBridge, busName }: BusDeps): Bus {
  async function publish(events: readonly BusEntry[]): Promise<void> {
    const { FailedEntryCount, Entries = [] } = await put(events);
    if (FailedEntryCount === 0 && Entries.length === events.length) return;
    throw new BusError('EventBridge did not take every event: publish them again.');
  }

  async function put(events: readonly BusEntry[]) {
    const Entries = events.map(({ detailType, detail }) => ({
      EventBusName: busName,
      Source: busSource,
      DetailType: detailType,
      Detail: JSON.stringify(detail),
    }));
    try {
      return await eventBridge.send(new PutEventsCommand({ Entries }));
    } catch (cause) {
      throw new BusError('EventBridge did not take the events: publish them again.', { cause });
    }
  }

  return { publish };
}
