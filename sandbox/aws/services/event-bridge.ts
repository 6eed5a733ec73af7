import * as z from 'zod';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';
import { parseJson } from '#shared/parse-json.ts';
import { type AwsService, AwsServiceError, serve } from './aws-service.ts';
import { createEventArchives } from './event-archives.ts';
import { createEventBuses } from './event-buses.ts';
import { type BusEvent, createEvent, type EventContent } from './event-envelope.ts';
import { createEventRules, type OnMatched } from './event-rules.ts';
import type { Targets } from './targets.ts';

export type EventBridgeDeps = {
  readonly place: Place;
  readonly targets: Targets;
  readonly newId: () => string;
  readonly now: () => Date;
  readonly maxArchivedEvents?: number | undefined;
  readonly onMatched?: OnMatched;
};

const putEvents = z.strictObject({
  Entries: z
    .array(
      z.strictObject({
        Detail: z.string(),
        DetailType: z.string(),
        EventBusName: z.string().default('default'),
        Resources: z.array(z.string()).default([]),
        Source: z.string(),
        /** Seconds since 1970. */
        Time: z.number().optional(),
      }),
    )
    .min(1)
    .max(10),
});

/** In bytes, of all entries together: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
const maxEntriesSize = 1_048_576;

const detailObject = z.record(z.string(), z.unknown());

type Entry = z.infer<typeof putEvents>['Entries'][number];

type EntryResult = { readonly EventId: string } | { readonly ErrorCode: string; readonly ErrorMessage: string };

export type EventBridge = AwsService & {
  /** Puts an event of an AWS service on the default bus. Returns its id without waiting for the targets. */
  readonly publish: (content: EventContent) => string;
};

/**
 * The buses that the stacks declare: each event goes to the targets of the rules that match it, and into the archives. Rules
 * can be put and archives replayed over the API.
 */
export function startEventBridge(
  {
    eventBuses,
    rules: declaredRules,
    archives: declaredArchives,
  }: Pick<Blueprint, 'eventBuses' | 'rules' | 'archives'>,
  { place, targets, newId, now, maxArchivedEvents, onMatched }: EventBridgeDeps,
): EventBridge {
  const buses = createEventBuses(eventBuses, place);
  const rules = createEventRules(declaredRules, { place, buses, targets, onMatched });
  const archives = createEventArchives(declaredArchives, { place, buses, now, maxArchivedEvents, hand, onMatched });

  function put(entry: Entry): EntryResult {
    const bus = buses.find(entry.EventBusName);
    const { data: detail } = detailObject.safeParse(parseJson(entry.Detail));
    if (detail === undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    const { DetailType: detailType, Source: source, Resources: resources, Time } = entry;
    const time = Time === undefined ? now() : new Date(Time * 1000);
    return { EventId: publish({ detailType, source, time, resources, detail }, bus) };
  }

  function publish(content: EventContent, bus = 'default'): string {
    const event = createEvent(content, { place, newId });
    archives.keep(bus, event);
    hand(bus, event);
    return event.id;
  }

  function hand(bus: string, event: BusEvent, ruleArns?: readonly string[]): void {
    // What cannot even reach its dead-letter queue is dropped: the host is ending.
    for (const send of rules.interested(bus, event, ruleArns)) send(JSON.stringify(event)).catch(() => undefined);
  }

  const service = serve({
    ...buses.operations,
    ...rules.operations,
    ...archives.operations,
    PutEvents: (input) => {
      const { Entries } = putEvents.parse(input);
      if (Entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > maxEntriesSize)
        throw new AwsServiceError('ValidationException', 'Total size of the entries in the request is over the limit.');
      const results = Entries.map(put);
      return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
    },
  });
  return { ...service, publish: (content) => publish(content) };
}

function sizeOf({ Detail, DetailType, Resources, Source, Time }: Entry): number {
  const texts = [Detail, DetailType, Source, ...Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), Time === undefined ? 0 : 14);
}
