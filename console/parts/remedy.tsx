import type { ComponentChildren } from 'preact';
import { session, useTypedCommands } from '#console/data/session.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { commandsIn, type Remedy } from '#shared/remedy.ts';
import { CopyButton } from './words.tsx';

/** Commands of the command line, each with a button that copies it. */
export function Commands({ commands }: Pick<Remedy, 'commands'>) {
  const typed = useTypedCommands();
  return (
    <ul class="commands">
      {commands.map(typed).map((command) => (
        <li key={command}>
          <code>{command}</code>
          <CopyButton text={command} />
        </li>
      ))}
    </ul>
  );
}

/** What to do, in words. */
export function Fix({ fix }: Pick<Remedy, 'fix'>) {
  const typed = useTypedCommands();
  if (fix === '') return null;
  return (
    <p>
      <strong>Do</strong>: {typed(fix)}
    </p>
  );
}

/** What has happened, and what to do. @param remedy with commands for any environment: those of the page's are shown */
export function RemedyOf({ remedy, children }: { readonly remedy: Remedy; readonly children?: ComponentChildren }) {
  const current = useSharedValue(session);
  const environment = current?.isLaptop === false ? current.environment : undefined;
  return (
    <div class="remedy">
      <p>{remedy.means}</p>
      <Fix fix={remedy.fix} />
      {children}
      <Commands commands={commandsIn(environment, remedy)} />
    </div>
  );
}
