import { BatchGetItemCommand, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import type { BrokenPromise } from './promise.ts';

/** The knowledge of one process of the drain about an event. */
type Known = {
  /** Whether every delivery was handed over when the process read the event last. */
  isAllHandedOver: boolean;
  /**
   * The deliveries for which the process may hand the event over: each that it has counted, or has read as not handed over, until it
   * notes the hand-over. Two pages can list two deliveries of an event: one page can note its delivery while the other one counts
   * its own. Another process can note both before the read for the second one. A message that SQS refuses is sent again before the
   * note.
   */
  readonly reasons: Set<string>;
};

export type HandOverWatch = {
  /** Checks a command that a process of the drain sends to AWS. */
  readonly watch: (process: object, command: Command) => BrokenPromise | undefined;
};

/** Promise 2: a run does not hand an event over again when it only knows that every delivery was handed over. */
export function createHandOverWatch(eventOf: (eventId: string) => Item | undefined): HandOverWatch {
  const known = new WeakMap<object, Map<string, Known>>();

  function knownBy(process: object, eventId: string): Known {
    const events = known.get(process) ?? new Map<string, Known>();
    known.set(process, events);
    const event = events.get(eventId) ?? { isAllHandedOver: false, reasons: new Set<string>() };
    events.set(eventId, event);
    return event;
  }

  function isAgain(process: object, eventId: string): boolean {
    const { isAllHandedOver, reasons } = knownBy(process, eventId);
    return isAllHandedOver && reasons.size === 0;
  }

  function read(process: object, eventId: string): void {
    const event = knownBy(process, eventId);
    const item = eventOf(eventId);
    const { drained, pending } = handOversOf(item);
    event.isAllHandedOver = drained.length > 0 && pending.length === 0;
    for (const delivery of pending) event.reasons.add(delivery);
  }

  function update(process: object, eventId: string, { input }: UpdateItemCommand): void {
    const event = knownBy(process, eventId);
    event.isAllHandedOver = false;
    const { ':id': counted, ':ids': ids } = input.ExpressionAttributeValues ?? {};
    const isNote = input.UpdateExpression?.startsWith('ADD handedOver') === true;
    if (isNote) for (const delivery of ids?.SS ?? []) event.reasons.delete(delivery);
    else if (counted?.S !== undefined && !deliveriesOf(eventOf(eventId)).includes(counted.S))
      event.reasons.add(counted.S);
  }

  return {
    watch: (process, command) => {
      for (const eventId of readIds(command)) read(process, eventId);
      if (command instanceof UpdateItemCommand && command.input.Key?.['eventId']?.S !== undefined)
        update(process, command.input.Key['eventId'].S, command);
      if (!(command instanceof SendMessageBatchCommand)) return undefined;
      const ids = (command.input.Entries ?? []).map(({ MessageBody = '{}' }) =>
        String(JSON.parse(MessageBody).eventId),
      );
      const [again] = ids.filter((id) => isAgain(process, id));
      return again === undefined ? undefined : { promise: 2, what: `The event ${again} is handed over again.` };
    },
  };
}

/** The events that a command reads. */
function readIds(command: Command): readonly string[] {
  if (command instanceof GetItemCommand) return eventIdsOf([command.input.Key]);
  if (!(command instanceof BatchGetItemCommand)) return [];
  return Object.values(command.input.RequestItems ?? {}).flatMap(({ Keys }) => eventIdsOf(Keys ?? []));
}

function eventIdsOf(keys: readonly (Item | undefined)[]): readonly string[] {
  return keys.flatMap((key) => key?.['eventId']?.S ?? []);
}

function deliveriesOf(item: Item | undefined): readonly string[] {
  return item?.['deliveryIds']?.SS ?? [];
}

/** The deliveries of an event that the drain has stored, and those that are not handed over yet. */
function handOversOf(item: Item | undefined): {
  readonly drained: readonly string[];
  readonly pending: readonly string[];
} {
  const handedOver = item?.['handedOver']?.SS ?? [];
  const drained = deliveriesOf(item).filter((id) => id.includes('#undelivered:'));
  return { drained, pending: drained.filter((id) => !handedOver.includes(id)) };
}
