import type * as z from 'zod/mini';
import { statusWords } from '#package/events/status-words.ts';
import { parseJson } from '#shared/parse-json.ts';
import {
  lenient,
  receivedId,
  receivedList,
  receivedNumber,
  receivedStatus,
  receivedText,
  tolerantObject,
} from '#shared/platform/fields/received.ts';
import { platformTimes, receivedTime } from '#shared/platform/fields/timestamp.ts';

/** The specification shows no body (section 6): what was seen of these four, each field absent if it is not there or not readable. */
const time = receivedTime(platformTimes.parse({}));
const text = lenient(receivedText);
const number = lenient(receivedNumber);
const usual = {
  externalId: text,
  notificationType: text,
  createdOn: time,
  modifiedOn: time,
  validationError: lenient(tolerantObject({ errorType: text, description: text })),
};

/** The bodies of webhooks by event type: schemas that take what else the platform sends. */
export const webhookBodySchemas = {
  TRADITIONAL_ASSET_ORDER_NOTIFICATION: tolerantObject({
    ...usual,
    orderId: lenient(receivedId),
    status: lenient(receivedStatus(statusWords.order)),
    side: text,
    isin: text,
    quantity: number,
    limitPrice: number,
    message: text,
    executions: lenient(
      receivedList(
        tolerantObject({ executionId: lenient(receivedId), executedOn: time, quantity: number, price: number }),
      ),
    ),
  }),
  TRANSFER_NOTIFICATION: tolerantObject({
    ...usual,
    transferId: lenient(receivedId),
    naturalPersonId: lenient(receivedId),
    status: lenient(receivedStatus(statusWords.transfer)),
    direction: text,
    amount: number,
    rejectReason: text,
  }),
  NATURAL_PERSON_NOTIFICATION: tolerantObject({
    ...usual,
    naturalPersonId: lenient(receivedId),
    status: lenient(receivedStatus(statusWords['natural-person'])),
  }),
  IDENTIFICATION_VERIFICATION_NOTIFICATION: tolerantObject({
    ...usual,
    identificationVerificationId: lenient(receivedId),
    naturalPersonId: lenient(receivedId),
    status: lenient(receivedStatus(statusWords['identification-verification'])),
  }),
} as const;

/** The bodies of webhooks by event type. */
export type WebhookBodies = { [Type in keyof typeof webhookBodySchemas]: z.output<(typeof webhookBodySchemas)[Type]> };

export type OrderWebhook = WebhookBodies['TRADITIONAL_ASSET_ORDER_NOTIFICATION'];
export type TransferWebhook = WebhookBodies['TRANSFER_NOTIFICATION'];
export type PersonWebhook = WebhookBodies['NATURAL_PERSON_NOTIFICATION'];
export type VerificationWebhook = WebhookBodies['IDENTIFICATION_VERIFICATION_NOTIFICATION'];

const schemas: { readonly [Type in keyof WebhookBodies]: z.ZodMiniType<WebhookBodies[Type]> } = webhookBodySchemas;

/**
 * Reads the body of a webhook, as `events.get` returns it: `readWebhookBody('TRADITIONAL_ASSET_ORDER_NOTIFICATION', event.body)`.
 *
 * @returns undefined if the body is erased, no JSON, or no object
 */
export function readWebhookBody<Type extends keyof WebhookBodies>(
  eventType: Type,
  body: string | undefined,
): WebhookBodies[Type] | undefined {
  return schemas[eventType].safeParse(parseJson(body ?? '')).data;
}
