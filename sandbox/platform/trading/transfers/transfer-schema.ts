import * as z from 'zod';
import { dateTime, uuid } from '#sandbox/platform/core/fields.ts';
import { pageQuery, pagination } from '#sandbox/platform/core/page.ts';
import { statusHistory } from '#sandbox/platform/core/transitions.ts';
import { money } from '#sandbox/platform/trading/accounts/decimal.ts';
import { transferStatus } from './transfer-states.ts';

const externalId = z.string().min(1).max(255).optional().describe('The id in the system of the partner');
const common = { naturalPersonId: uuid, amount: money, externalId };

/** What a transfer is made of. Section 4.3: not shown. */
export const transferRequest = z.discriminatedUnion('direction', [
  z.strictObject({
    ...common,
    direction: z.literal('OUT'),
    requestorId: uuid.optional().describe('As in the header Requestor-ID; the person itself unless given'),
  }),
  z.strictObject({ ...common, direction: z.literal('IN').describe('A payment that the payment network has brought') }),
]);

export type TransferRequest = z.infer<typeof transferRequest>;

export const createdTransfer = z.strictObject({ transferId: z.uuid(), status: transferStatus });

const transferFields = {
  transferId: z.uuid(),
  externalId,
  naturalPersonId: z.string(),
  direction: z.enum(['OUT', 'IN']),
  amount: z.number(),
  rejectReason: z.string().optional(),
  createdOn: dateTime,
  modifiedOn: dateTime,
};

/** A transfer as the API shows it. Section 2.6: its fields are not shown. */
export const transfer = z.strictObject({ ...transferFields, transferStatus: transferStatus }).meta({ id: 'Transfer' });

export type TransferView = z.infer<typeof transfer>;

/** A transfer with all that this platform knows of it. */
export const transferRecord = z
  .strictObject({
    ...transferFields,
    status: transferStatus,
    requestorId: z.string().optional(),
    history: statusHistory,
  })
  .meta({ id: 'TransferRecord' });

export type TransferRecordView = z.infer<typeof transferRecord>;

export const transferRecordPage = z.strictObject({ data: z.array(transferRecord), pagination });

export const transferQuery = z.object({
  ...pageQuery,
  naturalPersonId: uuid.optional(),
  status: transferStatus.optional(),
});
