import type { EntityStore } from '#shared/entities/entity-store.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import type { ReadBackKey } from '#shared/events/read-back.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { personOf } from '#shared/persons/event-subject.ts';
import { platformId } from '#shared/platform/fields/fields.ts';
import { type PlatformProfile, type Requestor, requestorIdOf } from '#shared/platform/profile/profile.ts';

type FindRequestorDeps = {
  readonly entityStore: Pick<EntityStore, 'timeline'>;
  readonly eventStore: Pick<EventStore, 'read'>;
  /** The requestor of calls about persons: a person with proxies for all others (section 5), or each person itself. */
  readonly requestor: Requestor;
  /** The requestors that read verifications and transfers, if the profile names them. */
  readonly requestors?: Pick<PlatformProfile['requestors'], 'verifications' | 'transfers'>;
  readonly places: PlatformProfile['places'];
};

/** An entity to read. @property naturalPersonId the person of a verification, if its onboarding names it */
export type EntityToRead = ReadBackKey & { readonly naturalPersonId?: string | undefined };

/** The Requestor-ID of a call for a verification or a transfer, if the call has one; 'unknown' if the person is not known. */
export type FindRequestor = (asked: EntityToRead) => Promise<{ readonly requestorId: string | undefined } | 'unknown'>;

/** The most webhooks that are searched. Usually the first one names the person. */
const maxEvents = 20;

/**
 * Finds the person in the webhooks of the entity (docs/reference/platform.md), or in an answer of the platform that was read back: the
 * entity itself does not name its person.
 */
export function createFindRequestor({
  entityStore,
  eventStore,
  requestor,
  requestors = {},
  places,
}: FindRequestorDeps): FindRequestor {
  return async (asked) => {
    const ofKind = asked.kind === 'transfer' ? requestors.transfers : requestors.verifications;
    const reader = ofKind ?? requestor;
    const person = reader === 'self' ? await findPerson(asked) : undefined;
    return reader === 'self' && person === undefined ? 'unknown' : { requestorId: requestorIdOf(reader, person) };
  };

  async function findPerson(asked: EntityToRead): Promise<string | undefined> {
    if (asked.naturalPersonId !== undefined) return asked.naturalPersonId;
    const timeline = await entityStore.timeline(asked);
    for (const { eventId } of timeline.slice(0, maxEvents)) {
      const row = await eventStore.read(eventId);
      const person = platformId.safeParse(row && personOf(asked.kind, inflateBody(row.deflatedBody), places));
      if (person.success) return person.data;
    }
    return undefined;
  }
}
