import type { EntityStore } from '#shared/entities/entity-store.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import type { ReadBackKey } from '#shared/events/read-back.ts';
import { personOf } from '#shared/events/subject/subject-of.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { platformId } from '#shared/platform/fields/fields.ts';
import { type PlatformProfile, type Requestor, requestorIdOf } from '#shared/platform/profile/profile.ts';

type FindRequestorDeps = {
  readonly entityStore: Pick<EntityStore, 'timeline'>;
  readonly eventStore: Pick<EventStore, 'read'>;
  /** Who acts for persons: a person with proxies for all others (section 5), or each person itself. */
  readonly requestor: Requestor;
  /** Who reads verifications and transfers, if the profile says so. */
  readonly requestors?: Pick<PlatformProfile['requestors'], 'verifications' | 'transfers'>;
};

/** An entity to read. @property naturalPersonId the person of a verification, if its onboarding names it */
export type Asked = ReadBackKey & { readonly naturalPersonId?: string | undefined };

/** The Requestor-ID of a call for a verification or a transfer, if the call has one; 'unknown' if the person is not known. */
export type FindRequestor = (asked: Asked) => Promise<{ readonly requestorId: string | undefined } | 'unknown'>;

/** Webhooks that are looked into. Usually the first one says it. */
const maxEvents = 20;

/**
 * The entity does not name its person; its webhooks do (docs/reference/platform.md), and so does
 * what was read back of one of which there were none.
 */
export function createFindRequestor({
  entityStore,
  eventStore,
  requestor,
  requestors = {},
}: FindRequestorDeps): FindRequestor {
  return async (asked) => {
    const ofKind = asked.kind === 'transfer' ? requestors.transfers : requestors.verifications;
    const reader = ofKind ?? requestor;
    const person = reader === 'self' ? await findPerson(asked) : undefined;
    return reader === 'self' && person === undefined ? 'unknown' : { requestorId: requestorIdOf(reader, person) };
  };

  async function findPerson(asked: Asked): Promise<string | undefined> {
    if (asked.naturalPersonId !== undefined) return asked.naturalPersonId;
    const timeline = await entityStore.timeline(asked);
    for (const { eventId } of timeline.slice(0, maxEvents)) {
      const row = await eventStore.read(eventId);
      const person = platformId.safeParse(row && personOf(inflateBody(row.deflatedBody)));
      if (person.success) return person.data;
    }
    return undefined;
  }
}
