import { createApplyEvent, createWakeOnboarding } from '#functions/webhook-ingest/store/apply-event.ts';
import { createStore } from '#functions/webhook-ingest/store/store-record.ts';
import { nextVersion } from '#shared/aws/dynamodb.ts';
import type { BusEntry } from '#shared/bus/bus.ts';
import { type EventTypes, identifyEvent } from '#shared/events/event.ts';
import { deflateBody, inflateBody } from '#shared/events/webhook-delivery.ts';
import type { FunctionVersion } from '#shared/lambda/metrics.ts';
import { createOnboardingFinder } from '#shared/onboarding/onboarding-finder.ts';
import { readOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { createCommitEvent } from '#shared/persons/person-index.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { createTestPersons, createTestStores } from '#test/shared/events/test-stores.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import { createHasErased } from './has-erased.ts';

export const receivedOn = '2026-01-02T03:04:05.678Z';

/** The version of an entity after its first event at that time. */
export const firstVersion = nextVersion(undefined, new Date(receivedOn));

export type StoreWorld = ReturnType<typeof createStoreWorld>;

/** What `store` makes of one message: with the tables of the emulators, and a bus and an onboarding queue that are read here. */
export function createStoreWorld(emulators: Emulators, time = receivedOn, functionVersion?: FunctionVersion) {
  const { dynamodb, tableNameOf } = emulators;
  const now = () => new Date(time);
  const stores = createTestStores(emulators, now, tableNameOf('entities'));
  const lines = captureLines(now, 'trial', functionVersion);
  const published: BusEntry[] = [];
  const woken: string[] = [];
  const bus = {
    publish: async (events: readonly BusEntry[]): Promise<void> => {
      published.push(...events);
    },
  };
  const queue = {
    send: async (text: string): Promise<void> => {
      woken.push(readOnboardingMessage(text).onboardingId);
    },
  };
  const onboardings = createOnboardingFinder({ dynamodb, tableName: tableNameOf('onboardings') });

  const deps = { ...stores, ...createTestPersons(emulators, { ...stores, now }), ...lines };
  const applyEvent = createApplyEvent({
    ...deps,
    bus,
    reportedKinds: ['order'],
    hasErased: createHasErased(dynamodb),
    wakeOnboarding: createWakeOnboarding({ onboardings, queue }),
  });

  /** The function of an environment with this profile. */
  const storeWith = (profile: EventTypes) =>
    createStore({ ...deps, now, applyEvent, commitEvent: createCommitEvent(deps), profile });

  return {
    ...stores,
    lines,
    /** What was published, in order. */
    published,
    /** The ids of the onboardings that were woken, in order. */
    woken,
    /** A test replaces a function of these to let the call fail. */
    bus,
    queue,
    storeWith,
    store: storeWith(platformProfile.parse({})),
    /** The event of this type and body, as the event store has it, and its body as text. */
    read: async (eventType: string, body: string | Uint8Array) => {
      const row = await stores.eventStore.read(eventIdOf(eventType, body));
      return row && { ...row, body: Buffer.from(inflateBody(row.deflatedBody)).toString() };
    },
    isErased: async (eventId: string) => (await stores.eventStore.read(eventId))?.erasedOn !== undefined,
  };
}

export function eventIdOf(eventType: string, body: string | Uint8Array): string {
  return identifyEvent(eventType, Buffer.from(body), platformProfile.parse({})).eventId;
}

export function deliveryOf(eventType: string, body: string | Uint8Array, deliveryId = 'delivery-1') {
  return { deliveryId, eventType, receivedOn, deflatedBody: deflateBody(Buffer.from(body)) };
}
