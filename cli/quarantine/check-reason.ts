import { checkKnown } from '#cli/command/known-word.ts';
import { quarantineReasons } from '#shared/events/quarantine-remedies.ts';

/** The filter that every reason matches. */
export const anyReason = 'ANY';

/** @throws {CommandError} for a word that is the reason of no event in quarantine */
export function checkReason(reason: string | undefined): void {
  const known = { what: 'reason of an event in quarantine', words: quarantineReasons };
  checkKnown(reason, known, 'drawbridge quarantine count shows the reasons that occur.');
}
