import type { EntityStore } from '#shared/entities/entity-store.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import type { ReadBackKey } from '#shared/events/read-back.ts';
import { personOf } from '#shared/events/subject/person-of.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { platformId } from '#shared/platform/fields/fields.ts';

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
const maxEvents = 20;

/**
 * The entity does not name its person; its webhooks do (docs/platform.md), and so does
 * what was read back of one of which there were none.
 */
export function createFindRequestor({ entityStore, eventStore, requestor }: FindRequestorDeps): FindRequestor {
  return async (asked) => {
    if (requestor !== 'self') return requestor;
    if (asked.naturalPersonId !== undefined) return asked.naturalPersonId;
    const timeline = await entityStore.timeline(asked);
    for (const { eventId } of timeline.slice(0, maxEvents)) {
      const row = await eventStore.read(eventId);
      const person = platformId.safeParse(row && personOf(inflateBody(row.deflatedBody)));
      if (person.success) return person.data;
    }
    return undefined;
  };
}
