import type { ConsoleContext } from '#cli/console/console-context.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import type { AlarmThatIsOn } from '#cli/status/read-alarms.ts';
import type { QueueWithAge } from '#cli/status/read-queues-with-ages.ts';
import { readStatus, type Status, type StepCount } from '#cli/status/read-status.ts';
import { readTokenState, type TokenState } from '#cli/token/token-state.ts';

/** A part that could not be read, and why. */
export type Unavailable = { readonly part: 'status' | 'token'; readonly reason: string };

/** How Drawbridge is doing now. What could not be read is undefined or empty, and named in `unavailable`. */
export type Overview = {
  /** By the clock of the deployment, which is the sandbox's on the laptop. */
  readonly now: string;
  readonly quarantined: number | undefined;
  readonly queues: readonly QueueWithAge[];
  readonly onboardings: readonly StepCount[];
  readonly alarms: readonly AlarmThatIsOn[];
  /** Null where no metric was written. */
  readonly metrics: NonNullable<Status['metrics']> | undefined;
  readonly token: TokenState | undefined;
  readonly unavailable: readonly Unavailable[];
};

/** Reads each part for itself, so that a reader who may not read one of them sees the others. */
export async function readOverview(context: ConsoleContext): Promise<Overview> {
  const { deployment, deps } = context;
  const now = await readClock(deployment, deps).catch(() => deps.now());
  const [status, token] = await Promise.allSettled([readStatus(deployment, now), readTokenState(deployment)]);
  const unavailable: Unavailable[] = [];
  const readPart = <Value>(part: Unavailable['part'], result: PromiseSettledResult<Value>): Value | undefined => {
    if (result.status === 'fulfilled') return result.value;
    unavailable.push({ part, reason: result.reason instanceof Error ? result.reason.message : String(result.reason) });
    return undefined;
  };
  const read = readPart('status', status);
  for (const { part, reason } of read?.unavailable ?? [])
    unavailable.push({ part: 'status', reason: `${part}: ${reason}` });
  return {
    now: now.toISOString(),
    queues: read?.queues ?? [],
    onboardings: read?.onboardings ?? [],
    quarantined: read?.quarantined ?? undefined,
    metrics: read?.metrics ?? undefined,
    alarms: read?.alarms ?? [],
    token: readPart('token', token),
    unavailable,
  };
}
