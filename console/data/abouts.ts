import { useEffect, useState } from 'preact/hooks';
import type { EventAbout, EventAbouts } from '#cli/console/reads/event-abouts.ts';
import { type ConsoleError, read } from './read.ts';

/** What an event did does not change, so that a window asks once. Null for an event about no entity. */
const settled = new Map<string, EventAbout | null>();

/** A window that is open for days forgets what it has. */
const maxSettled = 5_000;

export type Abouts = {
  /** Null for an event about no entity; undefined until that is known. */
  readonly aboutOf: (eventId: string) => EventAbout | null | undefined;
  /** Whether the server was asked, and does not know what the event is about. */
  readonly isUnknown: (eventId: string) => boolean;
  readonly error: ConsoleError | undefined;
};

/** What events of a list are about. @param pages the pages of the list: each is asked for when it comes */
export function useAbouts(pages: readonly (readonly string[])[]): Abouts {
  const [unsettled, setUnsettled] = useState<EventAbouts>({});
  const [error, setError] = useState<ConsoleError | undefined>(undefined);
  // An event without an effect yet is asked for again when its page changes, and keeps no other page waiting.
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
  const missing = pages.map((page) => page.filter((eventId) => !settled.has(eventId)).join(','));
  const eventIds = missing.find((ids) => ids !== '' && !asked.has(ids)) ?? '';
  useEffect(() => {
    if (eventIds === '') return;
    let isCurrent = true;
    read('abouts', { eventIds }).then(
      (found) => {
        if (settled.size > maxSettled) settled.clear();
        for (const eventId of eventIds.split(',')) {
          const about = found[eventId];
          if (about === null || about?.effect !== undefined) settled.set(eventId, about);
        }
        if (!isCurrent) return;
        setError(undefined);
        setUnsettled((before) => ({ ...before, ...found }));
        setAsked((before) => new Set(before).add(eventIds));
      },
      (failure: ConsoleError) => {
        if (isCurrent) setError(failure);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [eventIds]);
  const aboutOf = (eventId: string) => (settled.has(eventId) ? settled.get(eventId) : unsettled[eventId]);
  const isAsked = (eventId: string) => [...asked].some((ids) => ids.split(',').includes(eventId));
  return { aboutOf, isUnknown: (eventId) => aboutOf(eventId) === undefined && isAsked(eventId), error };
}
