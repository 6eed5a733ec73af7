import type { Place } from '#sandbox/aws/stacks/identity.ts';

/** What an event says, and when. */
export type EventContent = {
  readonly detailType: string;
  readonly source: string;
  readonly time: Date;
  readonly resources: readonly string[];
  readonly detail: unknown;
};

export type EventEnvelopeDeps = { readonly place: Place; readonly newId: () => string };

/** An event as EventBridge hands it to a target. A replayed one names its replay. */
export type BusEvent = ReturnType<typeof createEvent> & { readonly 'replay-name'?: string };

/** The event as EventBridge hands it to a target. */
export function createEvent(
  { detailType, source, time, resources, detail }: EventContent,
  { place, newId }: EventEnvelopeDeps,
) {
  return {
    version: '0',
    id: newId(),
    'detail-type': detailType,
    source,
    account: place.account,
    time: time.toISOString().replace(/\.\d+Z$/, 'Z'),
    region: place.region,
    resources,
    detail,
  };
}
