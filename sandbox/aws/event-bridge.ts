import * as z from 'zod';
import { type AwsService, AwsServiceError, serve } from './aws-service.ts';
import type { Blueprint } from './blueprint.ts';
import { matchesPattern, readEventPattern } from './event-pattern.ts';
import type { Place } from './identity.ts';
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

/** `PutEvents` on the buses that the stacks declare: each event goes to the targets of the rules that match it. */
export function startEventBridge(
  { eventBuses, rules }: Pick<Blueprint, 'eventBuses' | 'rules'>,
  { place, targets, newId, now }: EventBridgeDeps,
): AwsService {
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
      bus: buses.get(properties.EventBusName) ?? properties.EventBusName,
      pattern: readEventPattern(properties.EventPattern, path),
      targets: properties.Targets.map((target) => targets.open(target, path)),
    }));

  async function put(entry: Entry): Promise<{ EventId: string }> {
    const bus = buses.get(entry.EventBusName);
    if (bus === undefined)
      throw new AwsServiceError('ResourceNotFoundException', `Event bus ${entry.EventBusName} does not exist.`);
    const event = {
      version: '0',
      id: newId(),
      'detail-type': entry.DetailType,
      source: entry.Source,
      account: place.account,
      time: (entry.Time === undefined ? now() : new Date(entry.Time * 1000)).toISOString().replace(/\.\d+Z$/, 'Z'),
      region: place.region,
      resources: entry.Resources,
      detail: z.record(z.string(), z.unknown()).parse(JSON.parse(entry.Detail)),
    };
    const interested = listening.filter((rule) => rule.bus === bus && matchesPattern(rule.pattern, event));
    await Promise.all(interested.flatMap((rule) => rule.targets.map((send) => send(JSON.stringify(event)))));
    return { EventId: event.id };
  }

  return serve({
    PutEvents: async (input) => {
      const { Entries } = putEvents.parse(input);
      return { FailedEntryCount: 0, Entries: await Promise.all(Entries.map(put)) };
    },
  });
}
