import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { entityChangedDetail } from '#shared/bus/event-details.ts';

/** A published change of an entity. */
export type PublishedChange = z.infer<typeof entityChangedDetail>;

const putEvents = z.object({ Entries: z.array(z.object({ DetailType: z.string(), Detail: z.string() })) });

/** Records each entity change that EventBridge accepts, in order. */
export function watchChanges() {
  const changes: PublishedChange[] = [];
  return {
    onAwsCall: ({ when, operation, input }: AwsCallMoment): void => {
      if (when !== 'after' || operation !== 'PutEvents') return;
      for (const { DetailType, Detail } of putEvents.parse(input()).Entries)
        if (/(StatusChanged|Updated)$/.test(DetailType)) changes.push(entityChangedDetail.parse(JSON.parse(Detail)));
    },
    changes: (): readonly PublishedChange[] => changes,
  };
}

/** The state of a consumer that keeps the highest sequence of each entity: the status by kind and id. */
export function consume(changes: readonly PublishedChange[]): ReadonlyMap<string, string | undefined> {
  const latest = new Map<string, PublishedChange>();
  for (const change of changes) {
    const key = entityKeyOf(change);
    if (change.sequence > (latest.get(key)?.sequence ?? 0)) latest.set(key, change);
  }
  return new Map([...latest].map(([key, { status }]) => [key, status]));
}

/** The key of an entity. */
export function entityKeyOf({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return `${kind} ${id}`;
}
