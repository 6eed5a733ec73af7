import { createRandom } from '#sandbox/random.ts';
import { type PlatformProfile, platformProfile } from '#shared/platform/profile.ts';
import { createProxies } from './access/proxies.ts';
import { createRequestors } from './access/requestors.ts';
import { type Credentials, createTokens } from './access/tokens.ts';
import { createVirtualClock } from './core/clock.ts';
import { createIdentifiers } from './core/identifiers.ts';
import { createSettings, type SettingsChange } from './core/settings.ts';
import { createTimestamps } from './core/timestamps.ts';
import { createFaults } from './faults/faults.ts';
import { createIdentificationVerifications } from './persons/identification-verifications.ts';
import { createNaturalPersons } from './persons/natural-persons.ts';
import { createTrading } from './trading/trading.ts';
import { createDeliveries } from './webhooks/deliveries.ts';
import { createMadeUpDeliveries } from './webhooks/made-up-deliveries.ts';
import { createRegistrations } from './webhooks/registrations.ts';
import { createUndeliveredWebhooks } from './webhooks/undelivered-webhooks.ts';

export type PlatformOptions = {
  /** What decides on ids, outcomes and faults: the same seed and the same calls give the same. 1 unless given. */
  readonly seed?: number;
  /** Where the clock stands, frozen; it runs with the real time unless given. */
  readonly frozenAt?: Date | undefined;
  readonly settings?: SettingsChange;
  /** What the specification leaves open: the paths of the webhook operations, the token path … */
  readonly profile?: PlatformProfile;
  /** What the token service accepts: `sandbox` and `sandbox-secret` unless given. */
  readonly credentials?: Credentials;
  /** Event types that the platform knows beyond those of the profile. */
  readonly newEventTypes?: readonly string[];
  readonly fetch: typeof fetch;
  /** Aborts a delivery after so many milliseconds of real time; by Node's timers unless given. */
  readonly timeout?: (milliseconds: number) => AbortSignal;
  /** The real time. */
  readonly now: () => Date;
  /** Told of what should not have happened. */
  readonly onError: (error: unknown) => void;
};

export const defaultCredentials: Credentials = { clientId: 'sandbox', clientSecret: 'sandbox-secret' };

export type Platform = ReturnType<typeof createPlatform>;

/** The platform of the specification, in memory, without its HTTP. */
export function createPlatform({
  seed = 1,
  frozenAt,
  settings: initialSettings = {},
  profile = platformProfile.parse({}),
  credentials = defaultCredentials,
  newEventTypes = [],
  fetch,
  timeout = (milliseconds) => AbortSignal.timeout(milliseconds),
  now,
  onError,
}: PlatformOptions) {
  const random = createRandom(seed);
  const newId = createIdentifiers(random);
  const clock = createVirtualClock({ now, onError, frozenAt });
  const timestamp = createTimestamps(clock.now);
  const settings = createSettings(initialSettings);

  const eventTypes = [...new Set([...profile.eventTypes, ...newEventTypes])];
  const registrations = createRegistrations({ timestamp, eventTypes });
  const undelivered = createUndeliveredWebhooks({ timestamp, newId, settings });
  const madeUpDeliveries = createMadeUpDeliveries({ registrations, undelivered, timestamp, newId });
  const sending = { fetch, timeout, clock, random, settings, onError };
  const deliveries = createDeliveries({ ...sending, registrations, undelivered });

  const tokens = createTokens({ clock, newId, settings, credentials });
  const proxies = createProxies({ newId });
  const acting = { clock, timestamp, newId, random, settings, notify: deliveries.notify };
  const persons = createNaturalPersons({ ...acting, proxies });
  const verifications = createIdentificationVerifications({ ...acting, persons });
  const { statusOf } = persons;
  const requestors = createRequestors({ statusOf, proxies, settings });
  const faults = createFaults({ clock, random, newId });
  const trading = createTrading({
    clock,
    timestamp,
    newId,
    settings,
    notify: deliveries.notify,
    statusOf,
    requestors,
  });

  return {
    profile,
    newId,
    random,
    onError,
    clock,
    settings,
    registrations,
    undelivered,
    madeUpDeliveries,
    deliveries,
    tokens,
    proxies,
    statusOf,
    requestors,
    persons,
    verifications,
    faults,
    ...trading,
    close: clock.close,
  };
}
