import type { ValidationError } from '#sandbox/platform/core/fields.ts';
import type { Lifecycle } from '#sandbox/platform/core/record-book.ts';
import { fromUnits, moneyDigits } from '#sandbox/platform/trading/accounts/decimal.ts';
import type { TransferRecordView, TransferView } from './transfer-schema.ts';
import type { TransferStatus } from './transfer-states.ts';

/** Money that comes in or goes out. `amount` in cents. */
export type Transfer = Lifecycle<TransferStatus> & {
  readonly transferId: string;
  readonly naturalPersonId: string;
  /** None asked for an incoming one. */
  readonly requestorId?: string | undefined;
  readonly externalId?: string | undefined;
  readonly direction: 'OUT' | 'IN';
  readonly amount: bigint;
  /** Why it is REJECTED. */
  readonly rejectReason?: string | undefined;
  /** Why it is INVALID. */
  readonly validationError?: ValidationError | undefined;
};

/** A transfer as the API shows it. */
export function toView({ status, ...transfer }: Transfer): TransferView {
  return { ...fieldsOf(transfer), transferStatus: status };
}

/** A transfer with all that this platform knows of it. */
export function toRecordView(transfer: Transfer): TransferRecordView {
  const { status, requestorId, history } = transfer;
  return { ...fieldsOf(transfer), status, requestorId, history: [...history] };
}

/** What a notification says of a transfer (section 6: not shown). The first of an incoming transfer announces it. */
export function toTransferNotification(transfer: Transfer): Readonly<Record<string, unknown>> {
  const { status, validationError, history } = transfer;
  const usual = history.length === 1 ? 'CREATED' : 'UPDATED';
  const notificationType = status === 'INVALID' ? 'VALIDATION_ERROR' : usual;
  return { ...fieldsOf(transfer), status, notificationType, validationError };
}

function fieldsOf(transfer: Omit<Transfer, 'status'>) {
  return {
    transferId: transfer.transferId,
    externalId: transfer.externalId,
    naturalPersonId: transfer.naturalPersonId,
    direction: transfer.direction,
    amount: fromUnits(transfer.amount, moneyDigits),
    rejectReason: transfer.rejectReason,
    createdOn: transfer.createdOn,
    modifiedOn: transfer.modifiedOn,
  };
}
