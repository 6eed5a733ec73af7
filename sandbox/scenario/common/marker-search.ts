import { readFileSync } from 'node:fs';
import type { Sandbox } from '#sandbox/sandbox.ts';
import type { Check } from './checks.ts';
import { checkMarkers, createMarkerWatch, type MarkerPlace, type MarkerWatch } from './marker-watch.ts';
import { markerWords } from './marker-words.ts';
import { peekAtDeadLetters, type Queues } from './queues.ts';

/** Where the search looks. */
export type Searched = Pick<Sandbox, 'logFile'> & { readonly host: Queues };

/** Searches what no call of a function shows: the log of all functions, and the dead letters. */
export async function searchLogAndDeadLetters(
  { host, logFile }: Searched,
  watches: readonly Pick<MarkerWatch, 'inspect' | 'inspectLog'>[],
): Promise<void> {
  const log = readFileSync(logFile, 'utf8');
  const letters = await peekAtDeadLetters(host);
  for (const watch of watches) {
    watch.inspectLog(log);
    for (const { queue, text } of letters) watch.inspect('dead letter', text, queue);
  }
}

/** Searches for marker words in all that leaves the functions during a scenario, and in the log and dead letters after it. */
export function createMarkerSearch(places: readonly MarkerPlace[]) {
  const watch = createMarkerWatch(markerWords);
  return {
    onAwsCall: watch.onAwsCall,
    check: async (sandbox: Searched): Promise<readonly Check[]> => {
      await searchLogAndDeadLetters(sandbox, [watch]);
      return checkMarkers(watch, places);
    },
  };
}

export type MarkerSearch = ReturnType<typeof createMarkerSearch>;
