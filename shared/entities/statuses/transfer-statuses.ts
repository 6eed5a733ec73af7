import { type StatusRow, type StatusTable, statusesOf, type TransactionStatus } from './status-table.ts';

const rows = [
  { status: 'RECEIVED', final: false, resting: false, meaning: 'passed the API layer' },
  { status: 'PENDING', final: false, resting: false, meaning: 'created, checks or operations still running' },
  { status: 'INVALID', final: true, meaning: 'failed validation' },
  { status: 'REJECTED', final: true, meaning: 'check the error codes' },
  { status: 'PROCESSED', final: true, meaning: 'successfully processed' },
] as const satisfies readonly StatusRow[];

type TransferStatus = (typeof rows)[number]['status'];

/** Section 3.4. */
const table: StatusTable<TransferStatus> = {
  title: 'Transfer',
  section: '3.4',
  statuses: rows,
  transitions: [
    { from: '(none)', to: 'RECEIVED', source: '3.4, outgoing transfer accepted' },
    { from: 'RECEIVED', to: 'PENDING', source: '3.4, balance sufficient' },
    { from: 'PENDING', to: 'PROCESSED', source: '3.4, transfer completed' },
    { from: 'RECEIVED', to: 'REJECTED', source: '3.4, insufficient balance' },
    { from: '(none)', to: 'PROCESSED', source: '3.4, incoming payment notification' },
    { from: 'RECEIVED', to: 'INVALID', source: 'not shown in 3.4: what came in fails validation' },
  ],
};

export const transferStatuses = statusesOf(table);

/** Section 3.5, its second table. */
export const transactionStatusOfTransfer: Readonly<Record<TransferStatus, TransactionStatus>> = {
  RECEIVED: 'N/A',
  INVALID: 'N/A',
  PENDING: 'N/A',
  REJECTED: 'N/A',
  PROCESSED: 'COMPLETED',
};
