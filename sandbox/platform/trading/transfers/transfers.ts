import type { Requestors } from '#sandbox/platform/access/requestors.ts';
import type { Clock } from '#sandbox/platform/core/clock.ts';
import {
  magicStepSeconds,
  magicValidationError,
  transferOutcomeOf,
  transferWarning,
} from '#sandbox/platform/core/magic-values.ts';
import { createRecordBook, type Lifecycle } from '#sandbox/platform/core/record-book.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { invalidRetention } from '#sandbox/platform/core/transitions.ts';
import { type Accounts, withdrawable } from '#sandbox/platform/trading/accounts/accounts.ts';
import { moneyDigits, toUnits } from '#sandbox/platform/trading/accounts/decimal.ts';
import type { Notify } from '#sandbox/platform/webhooks/deliveries.ts';
import { type Transfer, toTransferNotification } from './transfer.ts';
import type { TransferRequest } from './transfer-schema.ts';
import { type TransferStatus, transferTransitions } from './transfer-states.ts';

export type TransfersDeps = {
  readonly clock: Pick<Clock, 'after'>;
  readonly timestamp: () => string;
  readonly newId: () => string;
  readonly settings: SettingsStore;
  readonly notify: Notify;
  /** The status of a natural person; undefined if there is none of this id. */
  readonly statusOf: (naturalPersonId: string) => string | undefined;
  readonly requestors: Pick<Requestors, 'findValidationError'>;
  readonly accounts: Pick<Accounts, 'read' | 'book'>;
  readonly warn: (warning: string | undefined) => void;
};

export type Transfers = ReturnType<typeof createTransfers>;

/** Transfers of money (section 3.4). */
export function createTransfers({
  newId,
  settings,
  notify,
  statusOf,
  requestors,
  accounts,
  warn,
  ...deps
}: TransfersDeps) {
  /** Section 6 does not list that a transfer becomes INVALID. */
  function announce(transfer: Transfer): void {
    if (transfer.status === 'INVALID' && !settings.read().unlistedNotifications) return;
    notify('TRANSFER_NOTIFICATION', toTransferNotification(transfer));
  }
  const book = createRecordBook<TransferStatus, Transfer>(
    { list: 'transfers', idOf: ({ transferId }) => transferId, transitions: transferTransitions, notify: announce },
    deps,
  );

  /** RECEIVED when it goes out, PROCESSED when it comes in. @throws {RefusedError} Not Found: no such natural person */
  function create(request: TransferRequest): Transfer {
    if (statusOf(request.naturalPersonId) === undefined)
      throw new RefusedError(404, 'There is no such natural person.');
    const fields = { ...request, transferId: newId(), amount: toUnits(request.amount, moneyDigits) };
    if (request.direction === 'IN') return receive(fields);
    warn(transferWarning(request.externalId));
    return send({ ...fields, requestorId: request.requestorId ?? request.naturalPersonId });
  }

  function receive(fields: NewTransfer): Transfer {
    const transfer = book.save({ ...fields, ...book.begin('PROCESSED') });
    accounts.book(transfer.naturalPersonId, { cash: transfer.amount, unsettled: 0n });
    announce(transfer);
    return transfer;
  }

  function send(fields: NewTransfer & { readonly requestorId: string }): Transfer {
    const transfer = book.save({ ...fields, ...book.begin('RECEIVED') });
    follow(transfer);
    return transfer;
  }

  /** Schedules what follows the status of a transfer by itself. */
  function follow(transfer: Transfer): void {
    const { status, requestorId = transfer.naturalPersonId } = transfer;
    const { transfersPendingAfter, transfersProcessedAfter } = settings.read();
    const isMagic = transferOutcomeOf(transfer.externalId)?.status === 'PROCESSED';
    if (status === 'RECEIVED') book.later(transfersPendingAfter, transfer, (then) => process(then, requestorId));
    if (status === 'INVALID') book.later(invalidRetention, transfer, book.remove);
    if (status === 'PENDING')
      book.later(isMagic ? magicStepSeconds : transfersProcessedAfter, transfer, ({ transferId }) =>
        complete(transferId),
      );
  }

  /** INVALID, REJECTED, or PENDING with the money taken. */
  function process(transfer: Transfer, requestorId: string): void {
    const outcome = transferOutcomeOf(transfer.externalId)?.status;
    const validationError =
      outcome === 'INVALID' ? magicValidationError : requestors.findValidationError(requestorId, transfer);
    if (validationError !== undefined) follow(book.move(transfer, 'INVALID', { validationError }));
    else if (outcome === 'REJECTED') book.move(transfer, 'REJECTED', { rejectReason: 'REJECTED_BY_NETWORK' });
    else if (withdrawable(accounts.read(transfer.naturalPersonId)) < transfer.amount)
      book.move(transfer, 'REJECTED', { rejectReason: 'INSUFFICIENT_BALANCE' });
    else {
      accounts.book(transfer.naturalPersonId, { cash: -transfer.amount, unsettled: 0n });
      follow(book.move(transfer, 'PENDING'));
    }
  }

  /** The payment network has brought it to its end. @throws {RefusedError} Conflict: it is not PENDING */
  function complete(transferId: string): Transfer {
    return book.move(book.get(transferId), 'PROCESSED');
  }

  /** Replaces every transfer. What follows by itself is scheduled again, from now on. */
  function restore(transfers: readonly Transfer[]): void {
    book.restore(transfers);
    for (const transfer of transfers) follow(transfer);
  }

  return { create, complete, restore, get: book.get, page: book.page, all: book.all };
}

type NewTransfer = Omit<Transfer, keyof Lifecycle<TransferStatus>>;
