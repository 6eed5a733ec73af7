import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { createControlClient } from './control-client.ts';

export const clock = z.object({ now: z.string(), isFrozen: z.boolean() });

/** The time by which a deployment works: that of the sandbox's clock on the laptop. @throws {CommandError} */
export async function readClock(
  { control }: Pick<Deployment, 'control'>,
  { fetch, now }: Pick<CommandDeps, 'fetch' | 'now'>,
): Promise<Date> {
  if (control === undefined) return now();
  const answer = await createControlClient(control, { fetch }).send({ method: 'GET', path: '/clock' }, clock);
  return new Date(answer.now);
}
