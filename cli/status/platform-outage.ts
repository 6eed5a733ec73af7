import { ApiError } from '#cli/command/command-error.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { countOf } from '#cli/output/count-of.ts';
import { formatAge } from '#cli/output/format-age.ts';
import { eventListAnswer } from '#shared/api/query-answers.ts';
import { afterMinuteOf, ownMetric, readValues, totalOf } from './metric-query.ts';

/** The operations of the platform that the functions call. */
export const calledOperations = [
  'List undelivered webhooks',
  'Mark webhooks delivered',
  'List webhooks',
  'List missing webhooks',
  'Register webhook',
  'Delete webhook',
  'Create natural person',
  'Get natural persons',
  'Get natural person',
  'Update natural person',
  'Create natural person identification',
  'Create Identification Verification',
  'Get Identification Verifications',
  'Get Identification Verification',
  'Get transfer',
] as const;

/** An outage of the platform that is under way. */
export type PlatformOutage = {
  /** The minute of the first failure, or of an earlier one than 24 hours ago. ISO 8601, in UTC. */
  readonly since: string;
  /** Of the calls since then. Each retry is a call. */
  readonly calls: number;
  readonly failed: number;
  /** Which calls failed, most frequent first. */
  readonly operations: readonly { readonly operation: string; readonly failed: number }[];
  /** Onboardings that wait because a call failed. Null if the onboardings could not be read. */
  readonly onboardingsWaiting: number | null;
  /** When the latest event was stored. Null if there is none, undefined if the events could not be read. */
  readonly lastWebhookOn: string | null | undefined;
  /** Whether the deployment keeps the list of events, which has the latest one. Undefined if that could not be read. */
  readonly hasEventList: boolean | undefined;
};

/** What the functions counted in a minute. */
export type CallMinute = { readonly at: number; readonly calls: number; readonly failed: number };

/** In milliseconds: the age of an outage is measured up to here. CloudWatch bills a series, not how far back it is read. */
const longestAge = 24 * 60 * 60_000;

/** In milliseconds: the first failure that is read of a longer outage is older than `longestAge`. */
const within = longestAge + 5 * 60_000;

/** In milliseconds: Drain calls the platform each minute, and metrics are some minutes late. */
const longestSilence = 10 * 60_000;

/** A single minute can be a deployment of the platform, which the retries outlast. */
const fewestMinutes = 2;

/**
 * The outage that is under way: in each of the latest minutes with calls, more than half of the calls failed. Minutes without
 * calls do not end it: once the token has expired, no call goes out until the platform issues another one.
 *
 * @param minutes those with calls, the oldest first
 */
export function findOutage(
  minutes: readonly CallMinute[],
): Pick<PlatformOutage, 'since' | 'calls' | 'failed'> | undefined {
  const lastGood = minutes.findLastIndex(({ calls, failed }) => failed * 2 <= calls);
  const bad = minutes.slice(lastGood + 1);
  const [first] = bad;
  if (first === undefined || bad.length < fewestMinutes) return undefined;
  const sum = (value: (minute: CallMinute) => number) => bad.reduce((total, minute) => total + value(minute), 0);
  const failed = sum((minute) => minute.failed);
  return {
    since: new Date(first.at).toISOString(),
    calls: Math.max(
      failed,
      sum(({ calls }) => calls),
    ),
    failed,
  };
}

/** An outage, without what the API knows about onboardings. */
export type CountedOutage = Omit<PlatformOutage, 'onboardingsWaiting'>;

/**
 * Reads whether the platform has an outage. Costs one request unless it has.
 *
 * @param now by the clock of the deployment
 * @returns null if there is none, undefined if that is not known: no call went out for ten minutes
 * @throws what CloudWatch answers with
 */
export async function readPlatformOutage(
  { environment, clients, api }: Pick<Deployment, 'environment' | 'clients' | 'api'>,
  now: Date,
): Promise<CountedOutage | null | undefined> {
  const valuesOf = await readValues(
    clients,
    [
      ownMetric('calls', environment, { metric: 'PlatformCallDuration', statistic: 'SampleCount' }),
      ownMetric('failed', environment, { metric: 'PlatformCallsFailed', statistic: 'Sum' }),
    ],
    { from: now.getTime() - within, until: afterMinuteOf(now) },
  );
  const byMinute = (id: string) => new Map(valuesOf(id).map(({ at, value }) => [at, value]));
  const [calls, failed] = [byMinute('calls'), byMinute('failed')];
  const minutes = [...new Set([...calls.keys(), ...failed.keys()])]
    .toSorted((one, other) => one - other)
    .map((at) => ({ at, calls: calls.get(at) ?? 0, failed: failed.get(at) ?? 0 }));
  const outage = findOutage(minutes);
  if (outage === undefined) return now.getTime() - (minutes.at(-1)?.at ?? 0) > longestSilence ? undefined : null;
  const failuresOf = await readValues(
    clients,
    calledOperations.map((operation, index) =>
      ownMetric(`o${index}`, environment, { metric: 'PlatformCallsFailed', statistic: 'Sum', operation }),
    ),
    { from: Date.parse(outage.since), until: afterMinuteOf(now) },
  );
  const operations = calledOperations
    .map((operation, index) => ({ operation, failed: totalOf(failuresOf(`o${index}`)) ?? 0 }))
    .filter((each) => each.failed > 0)
    .toSorted((one, other) => other.failed - one.failed);
  const latest = await api.send({ method: 'GET', path: '/events', query: { limit: '1' } }, eventListAnswer).then(
    ({ items }) => ({ lastWebhookOn: items[0]?.receivedOn ?? null, hasEventList: true }),
    (error: unknown) => ({
      lastWebhookOn: undefined,
      hasEventList: error instanceof ApiError && error.problemType === 'list-not-kept' ? false : undefined,
    }),
  );
  return { ...outage, operations, ...latest };
}

/** How long an outage has lasted, in words; undefined if it began before all that is read. */
export function outageAge({ since }: Pick<PlatformOutage, 'since'>, now: Date): string | undefined {
  const age = now.getTime() - Date.parse(since);
  return age < longestAge ? formatAge(age / 1_000) : undefined;
}

/** An outage in words: what `status`, `doctor` and the overview say. @param now by the clock of the deployment */
export function describeOutage(
  outage: PlatformOutage,
  now: Date,
): { readonly title: string; readonly details: readonly string[] } {
  const { since, calls, failed, operations, onboardingsWaiting } = outage;
  const ageOf = (time: string) => formatAge((now.getTime() - Date.parse(time)) / 1_000);
  const names = operations.map((each) => `${each.operation} (${each.failed})`).join(', ');
  const title =
    failed === calls ? 'Every call to the platform fails' : `The platform fails ${failed} of ${calls} calls`;
  const age = outageAge(outage, now);
  return {
    title: age === undefined ? `${title} for more than 24 hours.` : `${title} since ${since.slice(0, 16)}Z (${age}).`,
    details: [
      ...(names === '' ? [] : [`Failed calls: ${names}.`]),
      ...(onboardingsWaiting === null
        ? []
        : [`${countOf(onboardingsWaiting, 'onboarding waits', 'onboardings wait')} for the platform.`]),
      describeLastWebhook(outage, ageOf),
      'Drawbridge retries each call, and continues by itself once the platform answers.',
    ],
  };
}

function describeLastWebhook(
  { lastWebhookOn: receivedOn, hasEventList }: Pick<PlatformOutage, 'lastWebhookOn' | 'hasEventList'>,
  ageOf: (time: string) => string,
): string {
  if (hasEventList === false) return 'The time of the last webhook needs the setting listEvents.';
  if (receivedOn === undefined) return 'When the last webhook came is not known: the events could not be read.';
  if (receivedOn === null) return 'No webhook has come yet.';
  return `The last webhook came ${ageOf(receivedOn)} ago, at ${receivedOn.slice(0, 16)}Z.`;
}

/** What an operator does about an outage. */
export function remedyOfOutage({ isLaptop }: Pick<Deployment, 'isLaptop'>): string {
  return isLaptop
    ? 'drawbridge fault off, if you placed a fault. To list the faults: drawbridge fault ls.'
    : 'Ask the operator of the platform. To see the errors: drawbridge logs errors-by-function.';
}
