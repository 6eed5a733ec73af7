import { createPlatformApp } from '#sandbox/platform/app/app.ts';
import { createPlatform, type Platform } from '#sandbox/platform/app/platform.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { PlainRequest } from './plain-http.ts';
import { answerOf } from './platform-answer.ts';

/** Answers a call as this platform does over HTTP. */
export type PlatformApp = (platform: Platform, url: string, init?: RequestInit) => Promise<Response>;

/** Of the sandbox's event types, those that histories use; the platform's app and the functions must know the same. */
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

/** With pages of which one is more than a batch of SQS. */
export const widePagesProfile = platformProfile.parse({ ...simulatedProfile, pageSize: 25 });

/** Of which the functions have not been told. */
export const newEventType = 'A_NEW_NOTIFICATION';

/**
 * The HTTP app of the sandbox platform for one platform after the other: to build it takes longer than a history. It is
 * built over a stand-in, each part of which is that of the platform whose turn it is.
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
  const app = createPlatformApp(Object.fromEntries(parts) as unknown as Platform);

  function standInFor(name: string, part: unknown): unknown {
    const own = () => Reflect.get(current, name);
    if (name === 'profile') return part;
    if (typeof part === 'function') return (...given: unknown[]) => own()(...given);
    return new Proxy({}, { get: (_, member) => Reflect.get(own(), member) });
  }

  return async (platform, url, init) => {
    current = platform;
    const response = await app.fetch(new PlainRequest(url, init) as unknown as Request);
    const body = new Uint8Array(await response.arrayBuffer());
    return answerOf(response.status, body, Object.fromEntries(response.headers));
  };
}
