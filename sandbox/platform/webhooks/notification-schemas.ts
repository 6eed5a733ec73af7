import * as z from 'zod';
import { dateTime, enumWord, validationError } from '#sandbox/platform/core/fields.ts';
import { anyPersonStatus } from '#sandbox/platform/persons/natural-person-status.ts';
import { order } from '#sandbox/platform/trading/orders/order-schema.ts';
import { transferRecord } from '#sandbox/platform/trading/transfers/transfer-schema.ts';

const usual = {
  createdOn: dateTime,
  modifiedOn: dateTime,
  notificationType: z.enum(['CREATED', 'UPDATED', 'VALIDATION_ERROR']),
  validationError: validationError.optional().describe('Why it failed: in no GET'),
};

/** The bodies of the notifications that this platform sends by itself, by event type. */
export const notificationSchemas = {
  NATURAL_PERSON_NOTIFICATION: z
    .strictObject({
      naturalPersonId: z.uuid(),
      externalId: z.string().optional(),
      status: anyPersonStatus,
      ...usual,
    })
    .meta({ id: 'NaturalPersonNotification' }),
  IDENTIFICATION_VERIFICATION_NOTIFICATION: z
    .strictObject({
      identificationVerificationId: z.uuid(),
      naturalPersonId: z.uuid(),
      status: enumWord,
      ...usual,
    })
    .meta({ id: 'IdentificationVerificationNotification' }),
  TRADITIONAL_ASSET_ORDER_NOTIFICATION: z
    .strictObject({ ...order.shape, ...usual })
    .meta({ id: 'TraditionalAssetOrderNotification' }),
  TRANSFER_NOTIFICATION: z
    .strictObject({ ...transferRecord.omit({ requestorId: true, history: true }).shape, ...usual })
    .meta({ id: 'TransferNotification' }),
};

/** The body of any other event type, whose shape the specification does not show. */
const otherNotification = z
  .looseObject({ ...usual, status: z.string() })
  .partial()
  .meta({ id: 'OtherNotification', description: 'Usually with an id that is named after the event type' });

const byType: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(notificationSchemas));

export function notificationSchemaOf(eventType: string): z.ZodType {
  return byType.get(eventType) ?? otherNotification;
}
