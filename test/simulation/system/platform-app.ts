import { createPlatformApp } from '#sandbox/platform/app/app.ts';
import { createPlatform, type Platform } from '#sandbox/platform/app/platform.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { PlainRequest } from './plain-http.ts';
import { answerOf } from './platform-answer.ts';

/** Answers an HTTP call on behalf of a platform. */
export type PlatformApp = (platform: Platform, url: string, init?: RequestInit) => Promise<Response>;

/** The event types that histories use. The app of the platform and the functions must share them. */
export const simulatedProfile = platformProfile.parse({
  eventTypes: [
    'NATURAL_PERSON_NOTIFICATION',
    'IDENTIFICATION_VERIFICATION_NOTIFICATION',
    'TRADITIONAL_ASSET_ORDER_NOTIFICATION',
    'TRANSFER_NOTIFICATION',
    'CUSTOMER_NOTIFICATION',
  ],
  pageSize: 4,
});

/** A profile with pages that are larger than an SQS batch. */
export const widePagesProfile = platformProfile.parse({ ...simulatedProfile, pageSize: 25 });

/** An event type that the functions do not know at first. */
export const newEventType = 'A_NEW_NOTIFICATION';

/**
 * One HTTP app for all simulated platforms, because building an app takes longer than a history. The app uses a stand-in that
 * forwards each call to the current platform.
 */
export function createPlatformAppForAll(): PlatformApp {
  let current = createPlatform({
    profile: simulatedProfile,
    fetch,
    now: () => new Date(0),
    frozenAt: new Date(0),
    onError: () => undefined,
  });
  const parts = Object.entries(current).map(([name, part]) => [name, standInFor(name, part)] as const);
  const app = createPlatformApp(Object.fromEntries(parts) as unknown as Platform, { logsRequests: false });

  function standInFor(name: string, part: unknown): unknown {
    const own = () => Reflect.get(current, name);
    if (name === 'profile') return part;
    if (typeof part === 'function') return (...given: unknown[]) => own()(...given);
    return new Proxy({}, { get: (_, member) => Reflect.get(own(), member) });
  }

  return async (platform, url, init) => {
    current = platform;
    const response = await app.fetch(new PlainRequest(url, init) as unknown as Request);
    return answerOf(response.status, await response.bytes(), Object.fromEntries(response.headers));
  };
}
