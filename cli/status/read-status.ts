import { messageOf } from '#cli/command/command-error.ts';
import { readOnboardings } from '#cli/deployment/api-reads.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { explainAwsError } from '#cli/deployment/explain-aws-error.ts';
import { queueNames } from '#cli/deployment/resource-names.ts';
import { quarantineAnswer } from '#shared/api/query-answers.ts';
import { openSteps } from '#shared/onboarding/onboarding-advice.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';
import { type PlatformOutage, readPlatformOutage } from './platform-outage.ts';
import { type AlarmThatIsOn, readAlarmsThatAreOn } from './read-alarms.ts';
import { readMetrics, type ShownMetric } from './read-metrics.ts';
import { type QueueWithAge, readQueuesWithAges } from './read-queues-with-ages.ts';

/** Onboardings at a step. `more` if there are more than were counted. */
export type StepCount = { readonly step: OnboardingStep; readonly count: number; readonly more: boolean };

/** A part of the status that could not be read, and why. */
export type UnavailablePart = {
  readonly part: 'outage' | 'queues' | 'onboardings' | 'quarantine' | 'metrics' | 'alarms';
  readonly reason: string;
};

/** How Drawbridge is doing now: what `status` shows. What could not be read is null, and named in `unavailable`. */
export type Status = {
  readonly environment: string;
  readonly version: string | undefined;
  /** The outage of the platform that is under way; null if there is none, undefined if no call went out for ten minutes. */
  readonly outage: PlatformOutage | null | undefined;
  readonly queues: readonly QueueWithAge[] | null;
  /** Onboardings that have not ended, by step. Steps without one are left out. */
  readonly onboardings: readonly StepCount[] | null;
  readonly quarantined: number | null;
  /** Whether more events are in quarantine than `quarantined`: one request counts 10,000. */
  readonly hasMoreQuarantined: boolean;
  /** The metrics that an operator reads first; null if none was written. */
  readonly metrics: Readonly<Record<ShownMetric, number | null>> | null;
  /** The names of the alarms that are on, and since when (ISO 8601, UTC). */
  readonly alarms: readonly AlarmThatIsOn[] | null;
  readonly unavailable: readonly UnavailablePart[];
};

/** Onboardings of a step that are counted one by one. */
const maxCounted = 1_000;

/**
 * Reads each part for itself: queues, metrics and alarms say the most while the API does not answer.
 *
 * @param now by the clock of the deployment
 */
export async function readStatus(deployment: Deployment, now: Date): Promise<Status> {
  const { environment, outputs, api } = deployment;
  const unavailable: UnavailablePart[] = [];
  const part = <Value>(name: UnavailablePart['part'], read: Promise<Value>): Promise<Value | null> =>
    read.catch((error: unknown) => {
      unavailable.push({ part: name, reason: messageOf(explainAwsError(error) ?? error) });
      return null;
    });
  const [outage, queues, counted, quarantine, metrics, alarms] = await Promise.all([
    part('outage', readPlatformOutage(deployment, now)),
    part('queues', readQueuesWithAges(deployment, queueNames, now)),
    part('onboardings', countOpenOnboardings(deployment)),
    part('quarantine', api.send({ method: 'GET', path: '/quarantine' }, quarantineAnswer)),
    part('metrics', readMetrics(deployment, now)),
    part('alarms', readAlarmsThatAreOn(deployment)),
  ]);
  return {
    environment,
    version: outputs.get('Version'),
    outage: outage && { ...outage, onboardingsWaiting: counted && countFailing(counted) },
    queues,
    onboardings: counted?.flatMap(({ step, count, more }) => (count > 0 ? [{ step, count, more }] : [])) ?? null,
    quarantined: quarantine?.count ?? null,
    hasMoreQuarantined: quarantine?.nextCursor !== undefined,
    metrics,
    alarms,
    unavailable: unavailable.toSorted((one, other) => one.part.localeCompare(other.part)),
  };
}

/** Onboardings at a step. `failing` of them wait because the platform failed a call. */
type CountedStep = StepCount & { readonly failing: number };

/** The onboardings that have not ended, by step. @throws {CommandError} */
export async function countOpenOnboardings({ api }: Pick<Deployment, 'api'>): Promise<readonly CountedStep[]> {
  return Promise.all(
    openSteps.map(async (step) => {
      const { items, hasMore } = await readOnboardings(api, { step }, maxCounted);
      const failing = items.filter((item) => item.failing !== undefined).length;
      return { step, count: items.length, more: hasMore, failing };
    }),
  );
}

export function countFailing(steps: readonly CountedStep[]): number {
  return steps.reduce((sum, { failing }) => sum + failing, 0);
}
