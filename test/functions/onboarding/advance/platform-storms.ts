import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { byVideo, notAtAll, sampleRequest, supplied } from '#test/functions/onboarding/requests.ts';
import { type CallName, createFailingPlatform, type FailingPlatformOptions, type Failure } from './failing-platform.ts';

export const externalId = 'partner-1';

/** What the platform answers, and the reason with which the onboarding stops then. */
export const answers: Readonly<Record<string, readonly [failure: Failure, reason: string]>> = {
  500: [{ status: 500 }, 'HTTP_500'],
  503: [{ status: 503 }, 'HTTP_503'],
  429: [{ status: 429 }, 'HTTP_429'],
  '429 with Retry-After': [{ status: 429, retryAfter: '7' }, 'HTTP_429'],
  408: [{ status: 408 }, 'HTTP_408'],
  401: [{ status: 401 }, 'HTTP_401'],
  403: [{ status: 403 }, 'FORBIDDEN'],
  'a time-out': ['no answer', 'NO_ANSWER'],
  'a broken connection': ['broken connection', 'NO_CONNECTION'],
  'malformed JSON': [{ status: 200, body: '{"data": [' }, 'UNREADABLE_ANSWER'],
};

/** How an onboarding comes to each call: its identification, and what else fails. */
export const ways: Readonly<
  Record<CallName, readonly [OnboardingRequest['identification'], FailingPlatformOptions['fails']]>
> = {
  'create person': [notAtAll, {}],
  'create verification': [byVideo, {}],
  'send identification': [{ ...supplied, identificationDate: '2026-10-01' }, {}],
  'list of persons': [notAtAll, { 'create person': { status: 409 } }],
  'list of verifications': [byVideo, { 'create verification': { status: 500 } }],
  'get person': [notAtAll, {}],
  'get verification': [byVideo, {}],
};

/** An onboarding whose platform answers every such call alike. */
export async function startStorm(
  call: CallName,
  failure: Failure,
  options: Omit<FailingPlatformOptions, 'fails'> = {},
) {
  const [identification, others] = ways[call];
  const world = createFailingPlatform({ ...options, fails: { ...others, [call]: failure } });
  await world.accept(sampleRequest({ externalId, identification }));
  return world;
}

export type World = Awaited<ReturnType<typeof startStorm>>;

const creates = ['create person', 'create verification', 'send identification'] as const;
const walks = ['walk of persons', 'walk of verifications'] as const;
const reads = ['get person', 'get verification', 'list of persons', 'list of verifications'] as const;

/** How often the platform was asked to create something, how many lists were walked, and how many pages and records were read. */
export function totals({ countOf }: World) {
  const sum = (counted: readonly Parameters<typeof countOf>[0][]) =>
    counted.reduce((total, name) => total + countOf(name), 0);
  return { creates: sum(creates), walks: sum(walks), reads: sum(reads) };
}

export const callNames = Object.keys(ways) as readonly CallName[];
