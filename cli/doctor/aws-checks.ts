import type { Deployment } from '#cli/deployment/deployment.ts';
import { readAlarmsThatAreOn } from '#cli/status/read-alarms.ts';
import { readTokenState } from '#cli/token/token-state.ts';
import type { Finding } from './findings.ts';

type Found = readonly Omit<Finding, 'check'>[];

/** Whether there is a platform token, and when it was stored. */
export async function checkToken(deployment: Deployment): Promise<Found> {
  const { hasToken, storedOn } = await readTokenState(deployment);
  if (hasToken) return [{ result: 'good', detail: `the platform token was stored on ${storedOn}` }];
  return [{ result: 'problem', detail: 'there is no platform token', remedy: 'drawbridge credentials set' }];
}

/** The alarms of the stacks that are on. */
export async function checkAlarms(deployment: Deployment): Promise<Found> {
  const found = await readAlarmsThatAreOn(deployment);
  if (found.length === 0) return [{ result: 'good', detail: 'no alarm is on' }];
  return found.map(({ name, since }) => ({
    result: 'problem',
    detail: `the alarm ${name} is on since ${since}`,
    remedy: `Follow docs/reference/alarms.md#${name.split('-').at(-1)?.toLowerCase()}.`,
  }));
}

/** In milliseconds: AWS refuses a signature whose time is 5 minutes off, and tokens expire by this clock. */
const maxSkew = 60_000;

/** Whether this machine and the API agree on the time. The laptop has a clock of its own. */
export async function checkClock(
  { outputs }: Deployment,
  { fetch, now }: { fetch: typeof globalThis.fetch; now: () => Date },
): Promise<Found> {
  // Unsigned, so that the answer is 403. Its date is all that is read.
  const answer = await fetch(`${outputs.get('ApiUrl')}/quarantine`);
  const date = answer.headers.get('date');
  if (date === null) return [{ result: 'unknown', detail: 'the API sent no date' }];
  const skew = Math.round((now().getTime() - Date.parse(date)) / 1_000);
  if (Math.abs(skew) * 1_000 <= maxSkew)
    return [{ result: 'good', detail: `the clock is ${skew} s apart from that of AWS` }];
  return [
    {
      result: 'problem',
      detail: `the clock of this machine is ${skew} s apart from that of AWS`,
      remedy: 'Synchronize the clock of this machine.',
    },
  ];
}
