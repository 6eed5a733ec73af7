import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { nameCommands } from '#cli/output/name-command.ts';
import { createSharedValue, useSharedValue } from './shared-value.ts';

/** What the console shows, and whether it may write; undefined until the server has answered. */
export const session = createSharedValue<ReadAnswer<'session'> | undefined>(undefined);

/** Writes the commands of a text as the user of this console types them. */
export function useTypedCommands(): (text: string) => string {
  const current = useSharedValue(session);
  if (current === undefined) return (text) => text;
  return (text) => nameCommands(text, current.typedCommand);
}
