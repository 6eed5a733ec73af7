import { messageOf } from '#cli/command/command-error.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { describeOutage, type PlatformOutage } from '#cli/status/platform-outage.ts';
import type { AlarmThatIsOn } from '#cli/status/read-alarms.ts';
import type { QueueWithAge } from '#cli/status/read-queues-with-ages.ts';
import { readStatus, type Status, type StepCount, type UnavailablePart } from '#cli/status/read-status.ts';
import { readTokenState, type TokenState } from '#cli/token/token-state.ts';

/** A part that could not be read, and why. */
export type Unavailable = { readonly part: UnavailablePart['part'] | 'status' | 'token'; readonly reason: string };

/** How Drawbridge is doing now. What could not be read is undefined, and named in `unavailable`. */
export type Overview = {
  /** By the clock of the deployment, which is the sandbox's on the laptop. */
  readonly now: string;
  /** The outage of the platform that is under way, with its words; null if there is none, undefined also if no call went out for ten minutes. */
  readonly outage: (PlatformOutage & ReturnType<typeof describeOutage>) | null | undefined;
  readonly quarantined: number | undefined;
  /** Whether more events are in quarantine than `quarantined`. */
  readonly hasMoreQuarantined: boolean;
  readonly queues: readonly QueueWithAge[] | undefined;
  readonly onboardings: readonly StepCount[] | undefined;
  readonly alarms: readonly AlarmThatIsOn[] | undefined;
  /** Null if no metric was written. */
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
    unavailable.push({ part, reason: messageOf(result.reason) });
    return undefined;
  };
  const read = readPart('status', status);
  unavailable.push(...(read?.unavailable ?? []));
  const outage = unavailable.some(({ part }) => part === 'outage') ? undefined : read?.outage;
  return {
    now: now.toISOString(),
    outage: outage && { ...outage, ...describeOutage(outage, now) },
    queues: read?.queues ?? undefined,
    onboardings: read?.onboardings ?? undefined,
    quarantined: read?.quarantined ?? undefined,
    hasMoreQuarantined: read?.hasMoreQuarantined === true,
    metrics: read?.metrics ?? undefined,
    alarms: read?.alarms ?? undefined,
    token: readPart('token', token),
    unavailable,
  };
}
