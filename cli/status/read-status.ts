import { messageOf } from '#cli/command/command-error.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { readList } from '#cli/deployment/read-list.ts';
import { queueNames } from '#cli/deployment/resource-names.ts';
import { onboardingListAnswer } from '#shared/api/onboarding-answers.ts';
import { quarantineAnswer } from '#shared/api/query-answers.ts';
import { isFinalStep, type OnboardingStep, onboardingSteps } from '#shared/onboarding/onboarding-steps.ts';
import { type PlatformOutage, readPlatformOutage } from './platform-outage.ts';
import { type AlarmThatIsOn, readAlarmsThatAreOn } from './read-alarms.ts';
import { readMetrics, type ShownMetric } from './read-metrics.ts';
import { type QueueWithAge, readQueuesWithAges } from './read-queues-with-ages.ts';

/** Onboardings at a step. `more` where there are more than were counted. */
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
  /** The outage of the platform that is under way; null where there is none. */
  readonly outage: PlatformOutage | null;
  readonly queues: readonly QueueWithAge[] | null;
  /** Onboardings that have not ended, by step. Steps without one are left out. */
  readonly onboardings: readonly StepCount[] | null;
  readonly quarantined: number | null;
  /** The metrics that an operator reads first; null where none was written. */
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
  const openSteps = onboardingSteps.map(({ step }) => step).filter((step) => !isFinalStep(step));
  const unavailable: UnavailablePart[] = [];
  const part = <Value>(name: UnavailablePart['part'], read: Promise<Value>): Promise<Value | null> =>
    read.catch((error: unknown) => {
      unavailable.push({ part: name, reason: messageOf(error) });
      return null;
    });
  const [outage, queues, counted, quarantine, metrics, alarms] = await Promise.all([
    part('outage', readPlatformOutage(deployment, now)),
    part('queues', readQueuesWithAges(deployment, queueNames, now)),
    part('onboardings', Promise.all(openSteps.map((step) => countOnboardings(deployment, step)))),
    part('quarantine', api.send({ method: 'GET', path: '/quarantine' }, quarantineAnswer)),
    part('metrics', readMetrics(deployment, now)),
    part('alarms', readAlarmsThatAreOn(deployment)),
  ]);
  return {
    environment,
    version: outputs.get('Version'),
    outage: outage && {
      ...outage,
      onboardingsWaiting: counted?.reduce((sum, { failing }) => sum + failing, 0) ?? null,
    },
    queues,
    onboardings: counted?.flatMap(({ step, count, more }) => (count > 0 ? [{ step, count, more }] : [])) ?? null,
    quarantined: quarantine?.count ?? null,
    metrics,
    alarms,
    unavailable: unavailable.toSorted((one, other) => one.part.localeCompare(other.part)),
  };
}

/** `failing` of them wait because the platform failed a call. */
async function countOnboardings(
  { api }: Pick<Deployment, 'api'>,
  step: OnboardingStep,
): Promise<StepCount & { readonly failing: number }> {
  const { items, hasMore } = await readList(api, {
    path: '/onboardings',
    query: { step },
    page: onboardingListAnswer,
    limit: maxCounted,
  });
  return {
    step,
    count: items.length,
    more: hasMore,
    failing: items.filter(({ failing }) => failing !== undefined).length,
  };
}
