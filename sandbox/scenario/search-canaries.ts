import { readFileSync } from 'node:fs';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { canaries } from './canary.ts';
import { type CanaryPlace, type CanaryWatch, checkCanaries, createCanaryWatch } from './canary-watch.ts';
import type { Check } from './checks.ts';
import { peekAtDeadLetters, type Queues } from './dead-letters.ts';

/** Where a scenario has run. */
export type Searched = Pick<Sandbox, 'logFile'> & { readonly host: Queues };

/** Looks where no call of a function leads: in what all functions wrote, and in dead letters. */
export async function searchLogAndDeadLetters(
  { host, logFile }: Searched,
  watches: readonly Pick<CanaryWatch, 'look' | 'lookAtLog'>[],
): Promise<void> {
  const log = readFileSync(logFile, 'utf8');
  const letters = await peekAtDeadLetters(host);
  for (const watch of watches) {
    watch.lookAtLog(log);
    for (const { queue, text } of letters) watch.look('dead letter', text, queue);
  }
}

/** Looks for canaries in all that leaves functions while a scenario runs, and in what is left when it has. */
export function createCanarySearch(places: readonly CanaryPlace[]) {
  const watch = createCanaryWatch(canaries);
  return {
    onAwsCall: watch.onAwsCall,
    check: async (sandbox: Searched): Promise<readonly Check[]> => {
      await searchLogAndDeadLetters(sandbox, [watch]);
      return checkCanaries(watch, places);
    },
  };
}

export type CanarySearch = ReturnType<typeof createCanarySearch>;
