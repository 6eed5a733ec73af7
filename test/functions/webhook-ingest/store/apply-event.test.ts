import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeDeliveryMessage } from '#shared/events/webhook-delivery.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { version } from '#shared/version.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import { createStoreWorld, deliveryOf, eventIdOf, firstVersion, receivedOn, type StoreWorld } from './store-world.ts';

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
const persons = 'NATURAL_PERSON_NOTIFICATION';
const verifications = 'IDENTIFICATION_VERIFICATION_NOTIFICATION';
let emulators: Emulators;
let world: StoreWorld;

beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());
beforeEach(() => {
  world = createStoreWorld(emulators);
});

/** Stores an event of this type and body, which then has its effect. Gives its id. */
async function take(eventType: string, body: unknown): Promise<string> {
  const text = JSON.stringify(body);
  await world.store(writeDeliveryMessage(deliveryOf(eventType, text)));
  return eventIdOf(eventType, text);
}

const linesOf = (message: string) => world.lines.objects().filter((line) => line['message'] === message);

describe('each change of an entity is one event on the bus', () => {
  it('publishes each status with the one before it', async () => {
    const filled = await take(orders, { orderId: 'o-1', status: 'FILLED', modifiedOn: '2026-01-02T00:00:01Z' });
    const settled = await take(orders, { orderId: 'o-1', status: 'SETTLED', modifiedOn: '2026-01-02T00:00:02Z' });
    expect(world.published).toEqual([
      {
        detailType: 'OrderStatusChanged',
        detail: {
          kind: 'order',
          id: 'o-1',
          sequence: firstVersion,
          status: 'FILLED',
          transactionStatus: 'COMPLETED',
          modifiedOn: '2026-01-02T00:00:01Z',
          anomalies: [],
          remedies: [],
          eventId: filled,
        },
      },
      {
        detailType: 'OrderStatusChanged',
        detail: {
          kind: 'order',
          id: 'o-1',
          sequence: firstVersion + 1,
          status: 'SETTLED',
          statusBefore: 'FILLED',
          transactionStatus: 'COMPLETED',
          modifiedOn: '2026-01-02T00:00:02Z',
          anomalies: [],
          remedies: [],
          eventId: settled,
        },
      },
    ]);
  });

  it('publishes nothing for a report that repeats what is shown', async () => {
    await take(orders, { orderId: 'o-2', status: 'FILLED', modifiedOn: '2026-01-02T00:00:02Z' });
    await take(orders, { orderId: 'o-2', status: 'FILLED', modifiedOn: '2026-01-02T00:00:02Z', message: 'again' });
    expect(world.published).toHaveLength(1);
  });

  it('publishes a status that was overtaken as reported, each time that its event comes', async () => {
    await take(orders, { orderId: 'o-10', status: 'SETTLED', modifiedOn: '2026-01-02T00:00:02Z' });
    const filled = { orderId: 'o-10', status: 'FILLED', modifiedOn: '2026-01-02T00:00:01Z' };
    const eventId = await take(orders, filled);
    await take(orders, filled);
    const { modifiedOn } = filled;
    const detail = { kind: 'order', id: 'o-10', status: 'FILLED', modifiedOn, eventId };
    const reported = { detailType: 'OrderStatusReported', detail };
    expect(world.published.slice(1)).toEqual([reported, reported]);
  });

  it('publishes a status that contradicts a final one and stays below it as reported, beside the anomaly', async () => {
    await take(orders, { orderId: 'o-11', status: 'CANCELED', modifiedOn: '2026-01-02T00:00:02Z' });
    await take(orders, { orderId: 'o-11', status: 'SETTLED', modifiedOn: '2026-01-02T00:00:01Z' });
    expect(world.published.slice(1)).toMatchObject([
      { detailType: 'OrderUpdated', detail: { status: 'CANCELED', anomalies: ['SETTLED and CANCELED'] } },
      { detailType: 'OrderStatusReported', detail: { status: 'SETTLED' } },
    ]);
  });

  it('publishes no overtaken status of a kind that nothing asks for', async () => {
    for (const [status, second] of [
      ['PROCESSED', 2],
      ['PENDING', 1],
    ] as const)
      await take('TRANSFER_NOTIFICATION', { transferId: 't-10', status, modifiedOn: `2026-01-02T00:00:0${second}Z` });
    expect(world.published.map(({ detailType }) => detailType)).toEqual(['TransferStatusChanged']);
  });

  it('publishes an update when the status is what it was', async () => {
    await take(persons, { naturalPersonId: 'p-1', status: 'ACTIVE', modifiedOn: '2026-01-02T00:00:01Z' });
    await take(persons, { naturalPersonId: 'p-1', status: 'ACTIVE', modifiedOn: '2026-01-02T00:00:02Z' });
    expect(world.published.map(({ detailType }) => detailType)).toEqual([
      'NaturalPersonStatusChanged',
      'NaturalPersonUpdated',
    ]);
  });

  it('publishes an anomaly with its remedy, counts it, and logs it without ids of the platform', async () => {
    await take(orders, { orderId: 'o-5', status: 'REJECTED', modifiedOn: '2026-01-02T00:00:01Z' });
    const eventId = await take(orders, { orderId: 'o-5', status: 'FILLED', modifiedOn: '2026-01-02T00:00:02Z' });
    const remedies = [expect.stringMatching(/^The platform dates FILLED after REJECTED, which is final\. .*support/)];
    expect(world.published.at(-1)?.detail).toMatchObject({ anomalies: ['REJECTED → FILLED'], remedies });
    const message = 'event contradicts a final status';
    expect(linesOf(message)).toEqual([
      { timestamp: receivedOn, level: 'WARN', message, version, eventId, eventType: orders, remedies },
    ]);
    expect(world.lines.flushed()).toMatchObject({ EntityChanges: 2, EntityAnomalies: 1 });
  });
});

describe('a validation error that the platform reports is an event of its own on the bus', () => {
  const validationError = { errorType: 'INVALID_TAX_ID', description: 'The tax id of Erika Mustermann is wrong.' };

  it('publishes the kind, the id, the codes and the event id each time that the event comes', async () => {
    const body = { naturalPersonId: 'p-6', notificationType: 'VALIDATION_ERROR', validationError };
    const eventId = await take(persons, body);
    const [errorType, reasonCodes] = ['INVALID_TAX_ID', ['INVALID_TAX_ID']];
    const detail = { kind: 'natural-person', id: 'p-6', errorType, reasonCodes, eventId };
    const failed = { detailType: 'NaturalPersonValidationFailed', detail };
    expect(world.published).toEqual([failed]);
    expect(world.lines.flushed()).toMatchObject({ ValidationsFailed: 1 });
    await take(persons, body);
    expect(world.published).toEqual([failed, failed]);
  });

  it('publishes the error beside the change of an order that becomes INVALID', async () => {
    const eventId = await take(orders, { orderId: 'o-8', status: 'INVALID', validationError });
    expect(world.published).toMatchObject([
      { detailType: 'OrderStatusChanged', detail: { status: 'INVALID', eventId } },
      { detailType: 'OrderValidationFailed', detail: { id: 'o-8', errorType: 'INVALID_TAX_ID', eventId } },
    ]);
  });
});

describe('an event without an entity', () => {
  it('is published as received when its type has no entity', async () => {
    const eventId = await take('CUSTOMER_NOTIFICATION', { customerId: 'c-1' });
    expect(world.published).toEqual([
      { detailType: 'EventReceived', detail: { eventId, eventType: 'CUSTOMER_NOTIFICATION', receivedOn } },
    ]);
  });

  it('is published with its reason when it is in quarantine', async () => {
    const eventId = await take(orders, { status: 'FILLED' });
    const detail = { eventId, eventType: orders, receivedOn, reason: 'NO_ENTITY_ID' };
    expect(world.published).toEqual([{ detailType: 'EventQuarantined', detail }]);
  });
});

describe('promise 8: no personal data leaves in an event of the bus, a metric or a log line', () => {
  const canary = 'Erika Mustermann';

  it.each(platformProfile.parse({}).eventTypes)('publishes, counts and logs no personal data of a %s', async (type) => {
    const ids = ['naturalPersonId', 'identificationVerificationId', 'orderId', 'transferId'];
    const fields = Object.fromEntries(ids.map((id) => [id, `canary-${type}`]));
    const validationError = { errorType: canary, description: canary };
    await take(type, { ...fields, status: 'REJECTED', firstName: canary, validationError, message: canary });
    await take(type, { ...fields, status: canary });
    await take(type, { ...fields, modifiedOn: canary, status: 'FILLED', notificationType: canary });
    world.lines.metrics.flush();
    expect(world.published.length).toBeGreaterThan(0);
    expect(JSON.stringify(world.published) + world.lines.text()).not.toMatch(/Erika|Mustermann/);
  });
});

describe('waking the onboarding of an event', () => {
  const active = { naturalPersonId: 'p-7', status: 'ACTIVE', modifiedOn: '2026-01-02T00:00:01Z' };

  /** Gives the id of an onboarding of this person and verification. */
  async function onboard(externalId: string, naturalPersonId: string, identificationVerificationId: string) {
    const { dynamodb, tableNameOf } = emulators;
    const row = sampleOnboarding(externalId, { naturalPersonId, identificationVerificationId });
    const now = () => new Date(receivedOn);
    await createOnboardingStore({ dynamodb, tableName: tableNameOf('onboardings'), now }).create(row);
    return row.onboardingId;
  }

  it('wakes the onboarding by an event of its person and of its verification', async () => {
    const onboardingId = await onboard('partner-7', 'p-7', 'i-7');
    await take(persons, active);
    await take(verifications, { identificationVerificationId: 'i-7', status: 'APPROVED', modifiedOn: receivedOn });
    expect(world.woken).toEqual([onboardingId, onboardingId]);
    const line = { eventId: expect.stringMatching(/^[\da-f]{64}$/), onboardingId };
    expect(linesOf('onboarding woken')).toMatchObject([line, line]);
  });

  it('wakes the onboarding each time that an event comes, even if the event changes nothing', async () => {
    const onboardingId = await onboard('partner-8', 'p-8', 'i-8');
    for (let times = 0; times < 2; times += 1) await take(persons, { ...active, naturalPersonId: 'p-8' });
    await take(persons, { ...active, naturalPersonId: 'p-8', message: 'in other words' });
    expect(world.woken).toEqual([onboardingId, onboardingId, onboardingId]);
  });

  it('wakes no onboarding before the change is published', async () => {
    await onboard('partner-10', 'p-10', 'i-10');
    world.bus.publish = () => Promise.reject(new Error('EventBridge is down.'));
    await expect(take(persons, { ...active, naturalPersonId: 'p-10' })).rejects.toThrow('EventBridge is down.');
    expect(world.woken).toEqual([]);
  });

  it('wakes no onboarding of another person, and none for an order of the same id', async () => {
    await onboard('partner-11', 'p-11', 'i-11');
    await take(persons, { ...active, naturalPersonId: 'i-11' });
    await take(verifications, { identificationVerificationId: 'p-11', status: 'APPROVED' });
    await take(orders, { orderId: 'p-11', status: 'FILLED' });
    expect(world.woken).toEqual([]);
  });

  it('fails the event when SQS does not confirm, so that the event comes again', async () => {
    await onboard('partner-12', 'p-12', 'i-12');
    world.queue.send = () => Promise.reject(new Error('SQS is down.'));
    await expect(take(persons, { ...active, naturalPersonId: 'p-12' })).rejects.toThrow('SQS is down.');
  });
});
