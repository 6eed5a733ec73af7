import {
  EventBridgeServiceException,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
  ResourceNotFoundException,
} from '@aws-sdk/client-eventbridge';
import { createService, operation, type Service } from './commands.ts';
import { NotSimulatedError } from './expression-reader.ts';

export type PublishedEvent = { readonly detailType: string; readonly detail: string };

export type EventBridge = {
  readonly perform: Service;
  readonly published: () => readonly PublishedEvent[];
};

export type EventBridgeDeps = {
  readonly newId: () => string;
  /** The names of the existing buses. */
  readonly buses?: readonly string[];
};

const fields: ReadonlySet<string> = new Set(['EventBusName', 'Source', 'DetailType', 'Detail']);

/** The maximum number of entries per call. */
const maxEntries = 10;

/** EventBridge buses in memory. They keep all published events. */
export function createEventBridge({ newId, buses = ['drawbridge'] }: EventBridgeDeps): EventBridge {
  const published: PublishedEvent[] = [];

  function put({ DetailType: detailType = '', Detail: detail = '' }: PutEventsRequestEntry): PutEventsResultEntry {
    if (!isObject(detail)) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    published.push({ detailType, detail });
    return { EventId: newId() };
  }

  const perform = createService([
    operation(PutEventsCommand, ['Entries'], ({ Entries = [] }) => {
      if (Entries.length === 0 || Entries.length > maxEntries) throw validationError('Entries: 1 to 10 are taken.');
      for (const entry of Entries) check(entry);
      const unknown = Entries.find(({ EventBusName = 'default' }) => !buses.includes(EventBusName));
      if (unknown !== undefined)
        throw new ResourceNotFoundException({ message: `There is no bus ${unknown.EventBusName}.`, $metadata: {} });
      const results = Entries.map(put);
      return { FailedEntryCount: results.filter((one) => one.ErrorCode !== undefined).length, Entries: results };
    }),
  ]);
  return { perform, published: () => published };
}

/** @throws ValidationException for an entry that lacks what it must have, and {@link NotSimulatedError} */
function check(entry: PutEventsRequestEntry): void {
  const given = Object.entries(entry).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  const strange = given.find((field) => !fields.has(field));
  if (strange !== undefined) throw new NotSimulatedError(`The simulation does not know ${strange} of an event.`);
  if (entry.Source === undefined || entry.DetailType === undefined || entry.Detail === undefined)
    throw validationError('An event has a Source, a DetailType and a Detail.');
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function validationError(message: string): EventBridgeServiceException {
  return new EventBridgeServiceException({ name: 'ValidationException', $fault: 'client', message, $metadata: {} });
}
