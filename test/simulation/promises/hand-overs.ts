import { GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { readEventRow } from '#shared/events/event-row.ts';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import type { BrokenPromise } from './promise.ts';

/** The knowledge of one process of the drain about an event. */
type Known = {
  /** Whether every delivery was handed over when the process read the event last. */
  isAllHandedOver: boolean;
  /**
   * Whether the process has counted a new delivery, or has read a delivery that was not handed over, since it last noted a hand-over
   * of the event. A page can list two deliveries of an event: before the read for the second one, another process can note both. A
   * message that SQS refuses is sent again before the note.
   */
  hasReason: boolean;
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
    const event = events.get(eventId) ?? { isAllHandedOver: false, hasReason: false };
    events.set(eventId, event);
    return event;
  }

  function isAgain(process: object, eventId: string): boolean {
    const { isAllHandedOver, hasReason } = knownBy(process, eventId);
    return isAllHandedOver && !hasReason;
  }

  return {
    watch: (process, command) => {
      const eventId = eventIdOf(command);
      if (eventId !== undefined) {
        const event = knownBy(process, eventId);
        const item = eventOf(eventId);
        const isRead = command instanceof GetItemCommand;
        event.isAllHandedOver = isRead && isAllHandedOver(item);
        event.hasReason ||= isRead ? !event.isAllHandedOver : isNewDelivery(command, item);
        if (isNote(command)) event.hasReason = false;
      }
      if (!(command instanceof SendMessageBatchCommand)) return undefined;
      const ids = (command.input.Entries ?? []).map(({ MessageBody = '{}' }) =>
        String(JSON.parse(MessageBody).eventId),
      );
      const [again] = ids.filter((id) => isAgain(process, id));
      return again === undefined ? undefined : { promise: 2, what: `The event ${again} is handed over again.` };
    },
  };
}

/** The event id of a command on the events table. */
function eventIdOf(command: Command): string | undefined {
  if (command instanceof PutItemCommand) return command.input.Item?.['eventId']?.S;
  const isKeyed = command instanceof GetItemCommand || command instanceof UpdateItemCommand;
  return isKeyed ? command.input.Key?.['eventId']?.S : undefined;
}

/** Whether the command counts a delivery that the event does not have yet. */
function isNewDelivery(command: Command, item: Item | undefined): boolean {
  if (command instanceof PutItemCommand) return item === undefined;
  const counted =
    command instanceof UpdateItemCommand ? command.input.ExpressionAttributeValues?.[':id']?.S : undefined;
  return counted !== undefined && item?.['deliveryIds']?.SS?.includes(counted) !== true;
}

/** Whether the command notes a hand-over. */
function isNote(command: Command): boolean {
  return command instanceof UpdateItemCommand && command.input.UpdateExpression?.startsWith('ADD handedOver') === true;
}

function isAllHandedOver(item: Item | undefined): boolean {
  if (item === undefined) return false;
  const { deliveryIds, handedOver = [] } = readEventRow(item);
  const drained = deliveryIds.filter((id) => id.includes('#undelivered:'));
  return drained.length > 0 && drained.every((id) => handedOver.includes(id));
}
