import { GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { readEventRow } from '#shared/event-row.ts';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import type { Broken } from './promise.ts';

/** What one process of the drain has read last of an event. */
type Reading = 'all is handed over' | 'a delivery is not';

export type HandOverWatch = {
  /** A process of the drain asks AWS for this. */
  readonly watch: (process: object, command: Command) => Broken | undefined;
};

/** Promise 2: an event of which a run has read that every delivery was handed over is not handed over again by that run. */
export function createHandOverWatch(eventOf: (eventId: string) => Item | undefined): HandOverWatch {
  const readings = new WeakMap<object, Map<string, Reading>>();

  function readingsOf(process: object): Map<string, Reading> {
    const known = readings.get(process) ?? new Map<string, Reading>();
    readings.set(process, known);
    return known;
  }

  return {
    watch: (process, command) => {
      const known = readingsOf(process);
      const eventId = eventIdOf(command);
      if (command instanceof GetItemCommand && eventId !== undefined) known.set(eventId, readingOf(eventOf(eventId)));
      else if (eventId !== undefined) known.delete(eventId);
      if (!(command instanceof SendMessageBatchCommand)) return undefined;
      const ids = (command.input.Entries ?? []).map(({ MessageBody = '{}' }) =>
        String(JSON.parse(MessageBody).eventId),
      );
      const again = ids.find((id) => known.get(id) === 'all is handed over');
      return again === undefined ? undefined : { promise: 2, what: `The event ${again} is handed over again.` };
    },
  };
}

/** Of a command on the events table. */
function eventIdOf(command: Command): string | undefined {
  if (command instanceof PutItemCommand) return command.input.Item?.['eventId']?.S;
  const isKeyed = command instanceof GetItemCommand || command instanceof UpdateItemCommand;
  return isKeyed ? command.input.Key?.['eventId']?.S : undefined;
}

function readingOf(item: Item | undefined): Reading {
  if (item === undefined) return 'a delivery is not';
  const { deliveryIds, handedOver = [] } = readEventRow(item);
  const drained = deliveryIds.filter((id) => id.includes('#undelivered:'));
  const isAll = drained.length > 0 && drained.every((id) => handedOver.includes(id));
  return isAll ? 'all is handed over' : 'a delivery is not';
}
