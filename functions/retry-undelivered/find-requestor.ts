import { personIn } from '#shared/entities/person-in.ts';
import type { EntityStore } from '#shared/entity-store.ts';
import type { EventStore } from '#shared/event-store.ts';
import { uuid } from '#shared/platform/fields.ts';
import type { ReadBackKey } from '#shared/read-back.ts';
import { inflateBody } from '#shared/webhook-delivery.ts';

export type FindRequestorDeps = {
  readonly entityStore: Pick<EntityStore, 'timeline'>;
  readonly eventStore: Pick<EventStore, 'read'>;
  /** A person with proxies for all others (section 5), or each person itself. */
  readonly requestor: 'self' | (string & {});
};

/** What is to be asked for. @property naturalPersonId of a verification, where its onboarding says whose it is */
export type Asked = ReadBackKey & { readonly naturalPersonId?: string | undefined };

/** Who may ask for a verification, or a transfer: undefined where it is not known whose it is. */
export type FindRequestor = (asked: Asked) => Promise<string | undefined>;

/** Webhooks that are looked into. Usually the first one says it. */
const mostEvents = 20;

/**
 * The entity does not say whose it is; the webhooks that spoke of it do (facts, webhook deliveries), and so does
 * what was read back of one of which there were none.
 */
export function createFindRequestor({ entityStore, eventStore, requestor }: FindRequestorDeps): FindRequestor {
  return async (asked) => {
    if (requestor !== 'self') return requestor;
    if (asked.naturalPersonId !== undefined) return asked.naturalPersonId;
    const timeline = await entityStore.timeline(asked);
    for (const { eventId } of timeline.slice(0, mostEvents)) {
      const row = await eventStore.read(eventId);
      const person = uuid.safeParse(row && personIn(inflateBody(row.deflatedBody)));
      if (person.success) return person.data;
    }
    return undefined;
  };
}
