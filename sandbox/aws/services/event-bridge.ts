import * as z from 'zod';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { HostingError } from '#sandbox/aws/stacks/hosting-error.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';
import { type AwsService, AwsServiceError, serve } from './aws-service.ts';
import { createEvent, type EventContent } from './event-envelope.ts';
import { matchesPattern, readEventPattern } from './event-pattern.ts';
import type { Targets } from './targets.ts';

export type EventBridgeDeps = {
  readonly place: Place;
  readonly targets: Targets;
  readonly newId: () => string;
  readonly now: () => Date;
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

type Entry = z.infer<typeof putEvents>['Entries'][number];

type EntryResult = { readonly EventId: string } | { readonly ErrorCode: string; readonly ErrorMessage: string };

export type EventBridge = AwsService & {
  /** Puts an event of an AWS service on the default bus. Returns its id without waiting for the targets. */
  readonly publish: (content: EventContent) => string;
};

/** `PutEvents` on the buses that the stacks declare: each event goes to the targets of the rules that match it. */
export function startEventBridge(
  { eventBuses, rules }: Pick<Blueprint, 'eventBuses' | 'rules'>,
  { place, targets, newId, now }: EventBridgeDeps,
): EventBridge {
  const buses = new Map([
    ['default', 'default'],
    ...eventBuses.flatMap(({ physicalName, arn }) => [
      [physicalName, physicalName] as const,
      [arn, physicalName] as const,
    ]),
  ]);
  const listening = rules
    .filter(({ properties }) => properties.State === 'ENABLED' && properties.EventPattern !== undefined)
    .map(({ path, properties }) => ({
      bus: busOf(properties.EventBusName, path),
      pattern: readEventPattern(properties.EventPattern, path),
      targets: properties.Targets.map((target) => targets.open(target, path)),
    }));

  function busOf(name: string, path: string): string {
    const bus = buses.get(name);
    if (bus !== undefined) return bus;
    throw new HostingError(`The sandbox does not know the event bus ${name} of ${path}.`);
  }

  function put(entry: Entry): EntryResult {
    const bus = buses.get(entry.EventBusName);
    if (bus === undefined)
      throw new AwsServiceError('ResourceNotFoundException', `Event bus ${entry.EventBusName} does not exist.`);
    const detail = readDetail(entry.Detail);
    if (detail === undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    const { DetailType: detailType, Source: source, Resources: resources, Time } = entry;
    const time = Time === undefined ? now() : new Date(Time * 1000);
    return { EventId: publish({ detailType, source, time, resources, detail }, bus) };
  }

  function publish(content: EventContent, bus = 'default'): string {
    const event = createEvent(content, { place, newId });
    const interested = listening.filter((rule) => rule.bus === bus && matchesPattern(rule.pattern, event));
    // What cannot even reach its dead-letter queue is dropped: the host is ending.
    for (const send of interested.flatMap((rule) => rule.targets)) send(JSON.stringify(event)).catch(() => undefined);
    return event.id;
  }

  const service = serve({
    PutEvents: (input) => {
      const results = putEvents.parse(input).Entries.map(put);
      return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
    },
  });
  return { ...service, publish: (content) => publish(content) };
}

const detailObject = z.record(z.string(), z.unknown());

function readDetail(text: string): z.infer<typeof detailObject> | undefined {
  try {
    return detailObject.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
