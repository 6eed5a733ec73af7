import { createLegalEntities } from '#sandbox/platform/access/legal-entities.ts';
import { createProxies } from '#sandbox/platform/access/proxies.ts';
import { createRequestors } from '#sandbox/platform/access/requestors.ts';
import { type Credentials, createTokens, defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { type Clock, createTimestamps, createVirtualClock } from '#sandbox/platform/core/clock.ts';
import { createIdentifiers, createRandom } from '#sandbox/platform/core/random.ts';
import { settingsOfProfile, usualSentFields } from '#sandbox/platform/core/settings.ts';
import { createSettings, type SettingsChange } from '#sandbox/platform/core/settings-store.ts';
import { createFaults } from '#sandbox/platform/faults/faults.ts';
import { writeResource } from '#sandbox/platform/forms/write-forms.ts';
import { createRequestLog } from '#sandbox/platform/http/request-log.ts';
import { createNaturalPersons } from '#sandbox/platform/persons/natural-persons.ts';
import { createSnapshots } from '#sandbox/platform/snapshots/snapshots.ts';
import { createTrading } from '#sandbox/platform/trading/trading.ts';
import { createTraffic } from '#sandbox/platform/triggers/traffic.ts';
import { createIdentificationVerifications } from '#sandbox/platform/verifications/identification-verifications.ts';
import { createDeliveries } from '#sandbox/platform/webhooks/deliveries.ts';
import { createDeliveryLog } from '#sandbox/platform/webhooks/delivery-log.ts';
import { createMadeUpDeliveries } from '#sandbox/platform/webhooks/made-up-deliveries.ts';
import { placeNotification, type WriteNotification } from '#sandbox/platform/webhooks/place-notification.ts';
import { createRegistrations } from '#sandbox/platform/webhooks/registrations.ts';
import { createUndeliveredWebhooks } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import { type PlatformProfile, platformProfile } from '#shared/platform/profile/profile.ts';

/** What the sandbox platform checks beyond the specification. settings/laptop.json says the same to Drawbridge. */
export const sandboxProfile = platformProfile.parse({
  times: { dayZone: 'UTC' },
  sentFields: usualSentFields,
});

export type PlatformOptions = {
  /** The seed for ids, outcomes and faults: the same seed and calls give the same results. 1 by default. */
  readonly seed?: number;
  /** Freezes the clock at this time; by default the clock follows real time. */
  readonly frozenAt?: Date | undefined;
  readonly settings?: SettingsChange;
  /** What the specification leaves open: the paths of the webhook operations, the token path … */
  readonly profile?: PlatformProfile;
  /** The accepted credentials, by default `sandbox` and `sandbox-secret`. */
  readonly credentials?: Credentials;
  /** Event types in addition to those of the profile. */
  readonly newEventTypes?: readonly string[];
  readonly fetch: typeof fetch;
  /** Aborts a delivery after some milliseconds of real time, by default with Node's timers. */
  readonly timeout?: (milliseconds: number) => AbortSignal;
  /** Repeats work of the traffic in the background, by default with Node's timers. */
  readonly repeat?: (milliseconds: number, work: () => void) => () => void;
  /** The real time. */
  readonly now: () => Date;
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void;
  /** Called with a sentence about what a caller probably did not mean. */
  readonly onWarning?: ((warning: string) => void) | undefined;
};

export type Platform = ReturnType<typeof createPlatform>;

/** The platform of the specification in memory, without HTTP. */
export function createPlatform({
  seed = 1,
  frozenAt,
  settings: initialSettings = {},
  profile: initialProfile = sandboxProfile,
  credentials = defaultCredentials,
  newEventTypes = [],
  fetch,
  timeout = (milliseconds) => AbortSignal.timeout(milliseconds),
  repeat = repeatByTimer,
  now,
  onError,
  onWarning = () => undefined,
}: PlatformOptions) {
  const random = createRandom(seed);
  const takenIds = new Set<string>();
  const newId = createIdentifiers(random, takenIds);
  const clock = createVirtualClock({ now, onError, frozenAt });
  const timestamp = createTimestamps(clock.now);
  let profile = initialProfile;
  let startSettings: SettingsChange = { ...settingsOfProfile(profile), ...initialSettings };
  const settings = createSettings(startSettings);

  const registrations = createRegistrations({
    timestamp,
    eventTypes: () => [...new Set([...profile.eventTypes, ...newEventTypes])],
  });
  const undelivered = createUndeliveredWebhooks({ timestamp, newId, settings });
  const writtenBy = () => ({ forms: settings.read().answerForms, profile });
  const writeNotification: WriteNotification = (eventType, resource) =>
    placeNotification(eventType, writeResource(resource, writtenBy()), profile);
  const madeUpDeliveries = createMadeUpDeliveries({ registrations, undelivered, timestamp, newId, writeNotification });
  const sending = { fetch, timeout, clock, random, settings, onError };
  const deliveryLog = createDeliveryLog();
  let epoch = 0;
  const deliveries = createDeliveries({
    ...sending,
    registrations,
    undelivered,
    writeNotification,
    log: deliveryLog,
    epoch: () => epoch,
  });

  const tokens = createTokens({ clock, newId, settings, credentials });
  const legalEntities = createLegalEntities({ newId });
  const proxies = createProxies({ newId });
  const ofThisEpoch: Clock['after'] = (seconds, work) => {
    const scheduledIn = epoch;
    clock.after(seconds, () => (epoch === scheduledIn ? work() : undefined));
  };
  const actingClock = { now: clock.now, after: ofThisEpoch };
  const warn = (warning: string | undefined) => {
    if (warning !== undefined) onWarning(warning);
  };
  const acting = { warn, clock: actingClock, timestamp, newId, random, settings, notify: deliveries.notify };
  const persons = createNaturalPersons({ ...acting, proxies });
  const verifications = createIdentificationVerifications({ ...acting, persons });
  const { statusOf } = persons;
  const requestors = createRequestors({ statusOf, proxies, settings });
  const faults = createFaults({ clock, random, newId });
  const trading = createTrading({ ...acting, statusOf, legalEntities, requestors });

  const traffic = createTraffic({ ...acting, ...trading, persons, onError, repeat });
  const requests = createRequestLog();
  const snapshots = createSnapshots({
    ...trading,
    ...{
      settings,
      persons,
      verifications,
      legalEntities,
      proxies,
      undelivered,
      registrations,
      faults,
    },
    startSettings: () => startSettings,
    takeId: (id) => takenIds.add(id),
    logs: [requests, deliveryLog],
    endEpoch: () => {
      epoch += 1;
    },
  });

  /**
   * Takes the platform profile of an environment, and what else its platform is known to do. Settings that this platform was
   * created with stay. Routes are of the profile at their creation: create the app again.
   */
  function adopt(next: PlatformProfile, others: SettingsChange = {}): void {
    profile = next;
    const adopted: SettingsChange = { ...settingsOfProfile(next), ...others };
    startSettings = { ...startSettings, ...adopted, ...initialSettings };
    settings.change({ ...adopted, ...initialSettings });
  }

  return {
    get profile() {
      return profile;
    },
    adopt,
    newId,
    random,
    onError,
    clock,
    settings,
    registrations,
    undelivered,
    madeUpDeliveries,
    deliveries,
    writtenBy,
    writeNotification,
    deliveryLog,
    requests,
    snapshots,
    traffic,
    timestamp,
    tokens,
    legalEntities,
    proxies,
    statusOf,
    requestors,
    persons,
    verifications,
    faults,
    ...trading,
    close: () => {
      traffic.start(0);
      clock.close();
    },
  };
}

function repeatByTimer(milliseconds: number, work: () => void): () => void {
  const timer = setInterval(work, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
