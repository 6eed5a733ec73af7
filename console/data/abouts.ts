import { useEffect, useState } from 'preact/hooks';
import type { EventAbout } from '#cli/console/reads/event-abouts.ts';
import { type ConsoleError, read } from './read.ts';

/** What an event did does not change, so that a window asks once. Null for an event about no entity. */
const settled = new Map<string, EventAbout | null>();

/** A window that is open for days forgets what it has. */
const maxSettled = 5_000;

export type Abouts = {
  readonly aboutOf: (eventId: string) => EventAbout | null | undefined;
  readonly error: ConsoleError | undefined;
};

/** What events of a list are about. @param pages the pages of the list: each is asked for when it comes */
export function useAbouts(pages: readonly (readonly string[])[]): Abouts {
  const [unsettled, setUnsettled] = useState<Readonly<Record<string, EventAbout>>>({});
  const [error, setError] = useState<ConsoleError | undefined>(undefined);
  const missing = pages.map((page) => page.filter((eventId) => !settled.has(eventId))).find((page) => page.length > 0);
  const eventIds = missing?.join(',') ?? '';
  useEffect(() => {
    if (missing === undefined) return;
    let isCurrent = true;
    read('abouts', { eventIds }).then(
      (found) => {
        if (settled.size > maxSettled) settled.clear();
        for (const eventId of missing) {
          const about = found[eventId] ?? null;
          if (about === null || about.effect !== undefined) settled.set(eventId, about);
        }
        if (!isCurrent) return;
        setError(undefined);
        setUnsettled((before) => ({ ...before, ...found }));
      },
      (failure: ConsoleError) => {
        if (isCurrent) setError(failure);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [eventIds]);
  return { aboutOf: (eventId) => settled.get(eventId) ?? unsettled[eventId], error };
}
