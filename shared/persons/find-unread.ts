import type { ListEvents } from '#shared/events/event-list.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { wordsIn } from '#shared/events/subject/identifiers-in.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { PersonNames } from './person-index.ts';
import { readSubject } from './stored-subject.ts';

/** An event in quarantine whose body cannot be read. */
export type UnreadEvent = { readonly eventId: string; readonly eventType: string };

export type FindUnreadDeps = {
  readonly listQuarantined: ListEvents;
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly profile: Pick<PlatformProfile, 'places'>;
};

/**
 * Finds the events in quarantine that cannot be read and have one of these names as a whole word. UUIDs in them are found by the index
 * of persons. Looks at the latest 20,000 events in quarantine, as far as there is time: older ones, and ids that are no word, are left to
 * `unreadRetentionDays`.
 *
 * @param mayGoOn is asked before each read of an event
 */
export type FindUnread = (names: PersonNames, mayGoOn: () => boolean) => Promise<readonly UnreadEvent[]>;

/** Few reads for a quarantine as it should be, and a bound for a flood. */
const [pageSize, maxPages] = [1_000, 20];

const concurrency = 25;

/** Why an event is in quarantine that may not be read. */
const unreadReasons = /^(?:NOT_JSON|NESTED_TOO_DEEP|UNDELIVERED_.+)$/;

export function createFindUnread({ listQuarantined, eventStore, profile }: FindUnreadDeps): FindUnread {
  /** The event where it cannot be read and has one of the names. */
  async function judge(eventId: string, ids: ReadonlySet<string>, onboardingIds: ReadonlySet<string>) {
    const row = await eventStore.read(eventId);
    if (row === undefined || row.erasedOn !== undefined) return undefined;
    const { subject, body } = await readSubject(row, profile, eventStore.read);
    if (subject === 'erased in part' || subject.of !== 'unread') return undefined;
    const { isOfPersons } = subject;
    const isTheirs = (word: string) => ids.has(word) || (isOfPersons && onboardingIds.has(onboardingIdOf(word)));
    return [...wordsIn(body)].some(isTheirs) ? { eventId, eventType: row.eventType } : undefined;
  }

  return async (names, mayGoOn) => {
    const [ids, onboardingIds] = [new Set(names.ids), new Set(names.onboardingIds)];
    const found: UnreadEvent[] = [];
    let after: Awaited<ReturnType<ListEvents>>['next'];
    for (let pages = 0; pages < maxPages && mayGoOn(); pages += 1) {
      const { rows, next } = await listQuarantined({ filter: {}, limit: pageSize, after });
      const unread = rows.filter(({ quarantineReason = '' }) => unreadReasons.test(quarantineReason));
      await mapConcurrent(unread, concurrency, async ({ eventId }) => {
        const event = mayGoOn() ? await judge(eventId, ids, onboardingIds) : undefined;
        if (event !== undefined) found.push(event);
      });
      if (next === undefined) break;
      after = next;
    }
    return found;
  };
}
