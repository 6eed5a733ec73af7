import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { entityChangedDetail } from '#shared/bus/event-details.ts';
import { parseJson } from '#shared/parse-json.ts';

/** A published change of an entity. */
export type PublishedChange = z.infer<typeof entityChangedDetail>;

const putEvents = z.object({ Entries: z.array(z.object({ DetailType: z.string(), Detail: z.string() })) });

/** The events that EventBridge accepts with this call. */
export function publishedBy({ when, operation, input }: Pick<AwsCallMoment, 'when' | 'operation' | 'input'>) {
  if (when !== 'after' || operation !== 'PutEvents') return [];
  const { Entries } = putEvents.parse(input());
  return Entries.map(({ DetailType, Detail }) => ({ detailType: DetailType, detail: parseJson(Detail) }));
}

/** Records each entity change that EventBridge accepts, in order. */
export function watchChanges() {
  const changes: PublishedChange[] = [];
  return {
    onAwsCall: (moment: AwsCallMoment): void => {
      for (const { detailType, detail } of publishedBy(moment))
        if (/(StatusChanged|Updated)$/.test(detailType)) changes.push(entityChangedDetail.parse(detail));
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
