import * as z from 'zod';
import { dateTime, uuid } from '#sandbox/platform/core/fields.ts';
import { pageQuery, pagination } from '#sandbox/platform/core/page.ts';
import { statusHistory } from '#sandbox/platform/core/transitions.ts';
import { price, quantity } from '#sandbox/platform/trading/accounts/decimal.ts';
import { isin } from '#sandbox/platform/trading/accounts/isin.ts';
import { orderStatus } from './order-states.ts';

const side = z.enum(['BUY', 'SELL']);
const limitPrice = price.optional().describe('Executed at this price or a better one; at any unless given');
const externalId = z.string().min(1).max(255).optional().describe('The id in the system of the partner');

/** What an order is placed with. Section 4.3: not shown. */
export const orderRequest = z
  .strictObject({
    naturalPersonId: uuid.optional(),
    legalEntityId: uuid.optional().describe('In place of naturalPersonId, with requestorId'),
    requestorId: uuid.optional().describe('As in the header Requestor-ID; the person itself unless given'),
    isin: isin.describe('Of an unknown asset too: it is REJECTED when it is executed'),
    side,
    quantity,
    limitPrice,
    externalId,
  })
  .superRefine(({ naturalPersonId, legalEntityId, requestorId }, context) => {
    const complain = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if ((naturalPersonId === undefined) === (legalEntityId === undefined))
      complain('naturalPersonId', 'must be given, or legalEntityId: not both');
    if (legalEntityId !== undefined && requestorId === undefined)
      complain('requestorId', 'must be given with legalEntityId: a natural person acts for it');
  })
  .meta({ id: 'OrderRequest' });

export type OrderRequest = z.infer<typeof orderRequest>;

/** The answer to a placed order (section 3.3, rule 1). */
export const placedOrder = z.strictObject({ orderId: z.uuid(), status: orderStatus });

const execution = z
  .strictObject({ executionId: z.uuid(), executedOn: dateTime, quantity: z.number(), price: z.number() })
  .meta({ id: 'Execution' });

const orderFields = {
  orderId: z.uuid(),
  externalId,
  status: orderStatus,
  createdOn: dateTime,
  modifiedOn: dateTime,
  side,
  isin: z.string(),
  quantity: z.number(),
  limitPrice: z.number().optional(),
  message: z.string().optional().describe('Why it is REJECTED'),
  executions: z.array(execution).optional().describe('As corrected, where it is CORRECTED'),
};

/** An order as the API shows it. Section 2.6: its fields are not shown. */
export const order = z.strictObject(orderFields).meta({ id: 'Order' });

export type OrderView = z.infer<typeof order>;

/** An order with all that this platform knows of it. */
export const orderRecord = z
  .strictObject({
    ...orderFields,
    naturalPersonId: z.string().optional(),
    legalEntityId: z.string().optional(),
    requestorId: z.string(),
    isHeld: z.boolean().describe('Whether the exchange lets no cancel through'),
    history: statusHistory,
  })
  .meta({ id: 'OrderRecord' });

export type OrderRecordView = z.infer<typeof orderRecord>;

export const orderRecordPage = z.strictObject({ data: z.array(orderRecord), pagination });

export const orderQuery = z.object({
  ...pageQuery,
  naturalPersonId: uuid.optional(),
  status: orderStatus.optional(),
});

/** How an order is executed by the control API. */
export const executionRequest = z.strictObject({
  price: price.optional().describe("The specified or a better one; the asset's unless given, or the specified"),
});

export type ExecutionRequest = z.infer<typeof executionRequest>;

/** What a post-trade correction changes. */
export const correctionRequest = z
  .strictObject({ price: price.optional(), quantity: quantity.optional() })
  .refine((change) => change.price !== undefined || change.quantity !== undefined, 'must change price or quantity');

export type CorrectionRequest = z.infer<typeof correctionRequest>;
