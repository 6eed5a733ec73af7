import { readFileSync } from 'node:fs';
import type { Sandbox } from '#sandbox/sandbox.ts';
import type { CanaryWatch } from './canary-watch.ts';
import { peekAtDeadLetters } from './dead-letters.ts';

/** Looks where no call of a function leads: in what all functions wrote, and in dead letters. */
export async function searchLogAndDeadLetters(
  { host, logFile }: Pick<Sandbox, 'host' | 'logFile'>,
  watches: readonly Pick<CanaryWatch, 'look' | 'lookAtLog'>[],
): Promise<void> {
  const log = readFileSync(logFile, 'utf8');
  const letters = await peekAtDeadLetters(host);
  for (const watch of watches) {
    watch.lookAtLog(log);
    for (const { queue, text } of letters) watch.look('dead letter', text, queue);
  }
}
