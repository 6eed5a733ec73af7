import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { type Found, good, problem, unknown } from './findings.ts';

/** In milliseconds: AWS refuses a signature whose time is 5 minutes off, and tokens expire by this clock. */
const maxSkew = 60_000;

type ClockDeps = Pick<CommandDeps, 'fetch' | 'now'>;

/** Whether this machine and the API agree on the time. The sandbox has a clock of its own, which its user moves. */
export async function checkClock(deployment: Pick<Deployment, 'outputs' | 'control'>, deps: ClockDeps): Promise<Found> {
  if (deployment.control !== undefined) {
    const ahead = Math.round(((await readClock(deployment, deps)).getTime() - deps.now().getTime()) / 1_000);
    return good(`the clock of the sandbox is ${ahead} s ahead of this machine (drawbridge clock show)`);
  }
  // The request is unsigned, so the answer is 403. The check reads only its date.
  const answer = await deps.fetch(`${deployment.outputs.get('ApiUrl')}/quarantine`);
  const date = answer.headers.get('date');
  if (date === null) return unknown('the API sent no date', 'Run drawbridge doctor again.');
  const skew = Math.round((deps.now().getTime() - Date.parse(date)) / 1_000);
  if (Math.abs(skew) * 1_000 <= maxSkew) return good(`the clock differs from that of AWS by ${skew} s`);
  return problem(
    `the clock of this machine differs from that of AWS by ${skew} s`,
    'Synchronize the clock of this machine.',
  );
}
