import { idFieldOf } from '#sandbox/platform/webhooks/place-notification.ts';

export type SampleNotificationDeps = {
  readonly newId: () => string;
  readonly timestamp: () => string;
};

type Fields = Readonly<Record<string, unknown>>;

/** What the notifications say beyond the usual fields, by event type. */
const samples: Readonly<Record<string, (newId: () => string) => Fields>> = {
  NATURAL_PERSON_NOTIFICATION: () => ({ status: 'ACTIVE', notificationType: 'UPDATED' }),
  IDENTIFICATION_VERIFICATION_NOTIFICATION: (newId) => ({
    naturalPersonId: newId(),
    status: 'APPROVED',
    notificationType: 'UPDATED',
  }),
  TRADITIONAL_ASSET_ORDER_NOTIFICATION: (newId) => ({
    status: 'FILLED',
    notificationType: 'UPDATED',
    side: 'BUY',
    isin: 'DE000SBX0018',
    quantity: 10,
    executions: [{ executionId: newId(), executedOn: '2026-01-02T09:30:00Z', quantity: 10, price: 10 }],
  }),
  TRANSFER_NOTIFICATION: (newId) => ({
    naturalPersonId: newId(),
    direction: 'IN',
    amount: 250,
    status: 'PROCESSED',
    notificationType: 'UPDATED',
  }),
};

/** A body as the platform sends it for an event type, with an id that no record has. */
export function sampleNotification(eventType: string, { newId, timestamp }: SampleNotificationDeps): Fields {
  const fields = samples[eventType]?.(newId) ?? { notificationType: 'CREATED' };
  const now = timestamp();
  return { [idFieldOf(eventType)]: newId(), ...fields, createdOn: now, modifiedOn: now };
}
