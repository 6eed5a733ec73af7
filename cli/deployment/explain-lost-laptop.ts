import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import type { Deployment } from './deployment.ts';

/** The error that a command ends with: if `npm start` has ended meanwhile, that is the cause of any other error. */
export async function explainLostLaptop(
  error: unknown,
  { control }: Pick<Deployment, 'control'>,
  { fetch }: Pick<CommandDeps, 'fetch'>,
): Promise<unknown> {
  if (control === undefined) return error;
  const isUp = await fetch(`${control}/clock`).then(
    () => true,
    () => false,
  );
  return isUp
    ? error
    : new CommandError('Drawbridge does not run on this machine any more.', 'npm start', { cause: error });
}
