import { answerOf } from '#test/simulation/system/platform-answer.ts';
import type { Call, IoBehaviour } from './io-behaviour.ts';

/** A part of the platform that can fail for hours: its calls, and its weight in the random choice. */
type Target = { readonly share: number; readonly matches: (call: Call) => boolean; readonly failures?: FailureName[] };

type FailureName = keyof typeof failures;

const isPlatform = ({ service }: Call) => service === 'platform';
const isOperation =
  (pattern: RegExp) =>
  ({ operation }: Call) =>
    pattern.test(operation);

const marks = isOperation(/^POST \/webhooks-undelivered/);

/** The same answer to each call. */
const answered = (status: number, headers: Record<string, string> = {}): IoBehaviour => ({
  times: 0,
  answer: () => answerOf(status, {}, headers),
});

const connectionReset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** How a call fails. The platform performs the call unless `times` is 0. */
const failures = {
  '500': answered(500),
  '503': answered(503),
  '429': answered(429),
  '429 with Retry-After': answered(429, { 'retry-after': '30' }),
  '408': answered(408),
  '401': answered(401),
  '403': answered(403),
  '404': answered(404),
  'time-out': { times: 0, isSilent: true },
  'broken connection': { times: 0, error: connectionReset },
  'malformed JSON': { times: 0, answer: () => answerOf(200, Buffer.from('{"naturalPersonId": ')) },
  '500 after commit': { answer: () => answerOf(500, {}) },
} as const satisfies Readonly<Record<string, IoBehaviour>>;

const failureNames = Object.keys(failures) as FailureName[];

/** The failures that an outage shows. */
const outages: FailureName[] = ['500', '503', '429', 'time-out', 'broken connection'];

const ofPlatform: Readonly<Record<string, Target>> = {
  'the whole platform': { share: 3, matches: isPlatform, failures: outages },
  'the token service': {
    share: 1,
    matches: ({ service }) => service === 'token-service',
    failures: ['500', '503', '429', '401', '403', '404', 'time-out', 'broken connection'],
  },
  'the list of undelivered webhooks': { share: 1, matches: isOperation(/^GET \/webhooks-undelivered/) },
  'marks of undelivered webhooks': { share: 1, matches: marks },
  'the list of webhooks': { share: 1, matches: isOperation(/^GET \/webhooks(\/|-missing|$)/) },
  'registrations of webhooks': { share: 1, matches: isOperation(/^POST \/webhooks$/) },
};

const ofPersons: Readonly<Record<string, Target>> = {
  'creates of persons': { share: 4, matches: isOperation(/^POST \/entities\/natural-persons$/) },
  'the list of persons': { share: 3, matches: isOperation(/^GET \/entities\/natural-persons(\?|$)/) },
  'reads of persons': { share: 2, matches: isOperation(/^GET \/entities\/natural-persons\/./) },
  'creates of verifications': { share: 3, matches: isOperation(/^POST \/entities\/identification-verifications$/) },
  'reads of verifications': { share: 2, matches: isOperation(/^GET \/entities\/identification-verifications/) },
  identifications: { share: 3, matches: isOperation(/^POST \/entities\/natural-persons\/./) },
};

/** A part of the platform, or a service of AWS, that fails for hours with one failure. Times are in milliseconds from the start. */
export type LongFailure = {
  /** A description for the trace. */
  readonly what: string;
  readonly from: number;
  readonly until: number;
  readonly matches: (call: Call) => boolean;
  readonly behaviour: IoBehaviour;
  /** Whether it ends without an operator, who retries what stopped while the platform failed. */
  readonly isOfAws?: true;
};

const minute = 60_000;

/** In milliseconds: from hours to a day. */
const durations = [2 * 60 * minute, 6 * 60 * minute, 24 * 60 * minute];

/** @param random from 0 to 1: a stream of its own, so that the rest of a history stays the same without the failure */
export function planLongFailure(random: () => number, hasPersons: boolean): LongFailure {
  const targets = Object.entries({ ...ofPlatform, ...(hasPersons ? ofPersons : {}) });
  const [target, { matches, failures: own = failureNames }] = pickByShare(targets, random);
  const failure = own[Math.floor(random() * own.length)] ?? '500';
  const from = random() * 15 * minute;
  const maxDuration = durations[Math.floor(random() * random() * durations.length)] ?? 0;
  const until = from + (0.5 + random() / 2) * maxDuration;
  const hours = ((until - from) / 3_600_000).toFixed(1);
  return { what: `${target}: ${failure} for ${hours} hours`, from, until, matches, behaviour: failures[failure] };
}

/** The services of AWS that can fail for hours. */
export const awsServices = ['dynamodb', 'sqs', 'eventbridge', 'secrets-manager'] as const;

export type AwsService = (typeof awsServices)[number];

const awsError = (name: string) => () => Object.assign(new Error(`${name} of the simulation`), { name });

/** How each call to the service fails: immediately, or after all attempts of the SDK. */
const awsFailures: readonly IoBehaviour[] = [
  { times: 0, error: awsError('ServiceUnavailable') },
  { times: 0, error: awsError('TimeoutError'), pause: 9_000 },
];

/** In milliseconds: shorter than the time for which the queues retry a message. */
const awsOutage = 4 * 60 * minute;

/** Every call to a service of AWS fails for four hours. The service is drawn unless given. */
export function planAwsOutage(random: () => number, named?: AwsService): LongFailure {
  const drawn = awsServices[Math.floor(random() * awsServices.length)] ?? 'dynamodb';
  const service = named ?? drawn;
  const behaviour = awsFailures[Math.floor(random() * awsFailures.length)] ?? {};
  const from = random() * 15 * minute;
  const what = `${service}: every call fails for 4 hours`;
  return { what, from, until: from + awsOutage, matches: (call) => call.service === service, behaviour, isOfAws: true };
}

/** Permanent refusals of a mark: a wrong path, or a missing permission. */
const refusals: readonly FailureName[] = ['404', '403'];

/** Every mark is refused until the end, as with a path that is configured wrongly. */
export function refuseMarks(random: () => number): LongFailure {
  const failure = refusals[Math.floor(random() * refusals.length)] ?? '404';
  const what = `marks of undelivered webhooks: ${failure} to the end`;
  return { what, from: 0, until: Number.POSITIVE_INFINITY, matches: marks, behaviour: failures[failure] };
}

export function isOfPlatform(failure: LongFailure | undefined): boolean {
  return failure !== undefined && failure.isOfAws !== true;
}

/** Whether the failure never ends. All other work must still finish. */
export function isEndless({ until }: LongFailure): boolean {
  return until === Number.POSITIVE_INFINITY;
}

function pickByShare(targets: readonly (readonly [string, Target])[], random: () => number) {
  let left = random() * targets.reduce((sum, [, { share }]) => sum + share, 0);
  const found = targets.find(([, { share }]) => {
    left -= share;
    return left < 0;
  });
  return found ?? (['the whole platform', { share: 1, matches: isPlatform }] as const);
}
