import * as z from 'zod';
import { proxy } from '#sandbox/platform/access/proxies.ts';
import { validationError } from '#sandbox/platform/core/fields.ts';
import { settings } from '#sandbox/platform/core/settings.ts';
import { statusHistory } from '#sandbox/platform/core/transitions.ts';
import { fault } from '#sandbox/platform/faults/faults.ts';
import { naturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import { asset } from '#sandbox/platform/trading/accounts/asset-schema.ts';
import { orderStatus } from '#sandbox/platform/trading/orders/order-states.ts';
import { transferStatus } from '#sandbox/platform/trading/transfers/transfer-states.ts';
import { identificationVerification } from '#sandbox/platform/verifications/identification-verification-schema.ts';

/** Units of the last decimal: JSON has no bigint. */
const units = z.codec(z.string().regex(/^-?\d{1,30}$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (number) => number.toString(),
});

const lifecycle = { createdOn: z.string(), modifiedOn: z.string(), history: statusHistory };

const execution = z.strictObject({ quantity: units, price: units, executionId: z.string(), executedOn: z.string() });

const order = z.strictObject({
  ...lifecycle,
  status: orderStatus,
  orderId: z.string(),
  naturalPersonId: z.string().optional(),
  legalEntityId: z.string().optional(),
  requestorId: z.string(),
  externalId: z.string().optional(),
  isin: z.string(),
  side: z.enum(['BUY', 'SELL']),
  quantity: units,
  limitPrice: units.optional(),
  isHeld: z.boolean(),
  message: z.string().optional(),
  validationError: validationError.optional(),
  execution: execution.optional(),
});

const transfer = z.strictObject({
  ...lifecycle,
  status: transferStatus,
  transferId: z.string(),
  naturalPersonId: z.string(),
  requestorId: z.string().optional(),
  externalId: z.string().optional(),
  direction: z.enum(['OUT', 'IN']),
  amount: units,
  rejectReason: z.string().optional(),
  validationError: validationError.optional(),
});

const account = z.strictObject({
  naturalPersonId: z.string(),
  cash: units,
  unsettled: units,
  positions: z.array(z.tuple([z.string(), units])),
});

/** What a snapshot keeps of the platform. */
export const savedState = z.strictObject({
  settings,
  persons: z.strictObject({
    entries: z.array(z.strictObject({ person: naturalPerson, history: statusHistory })),
    owners: z.array(z.tuple([z.string(), z.string()])),
  }),
  verifications: z.array(z.strictObject({ verification: identificationVerification, history: statusHistory })),
  legalEntities: z.array(z.string()).default([]),
  proxies: z.array(proxy),
  assets: z.array(asset),
  accounts: z.array(account),
  orders: z.array(order),
  fills: z.array(z.strictObject({ order, execution, invoicedFrom: z.number() })),
  transfers: z.array(transfer),
  faults: z.array(fault),
  undelivered: z.array(z.strictObject({ eventType: z.string(), body: z.string(), errorMessage: z.string() })),
});

/** As the platform holds it. */
export type SavedState = z.output<typeof savedState>;

/** As JSON holds it. */
export type WrittenState = z.input<typeof savedState>;
