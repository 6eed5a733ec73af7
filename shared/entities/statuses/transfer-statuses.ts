import { type StatusTable, statusesOf } from './status-table.ts';

/** The statuses of section 3.4. */
export type TransferStatus = 'RECEIVED' | 'PENDING' | 'INVALID' | 'REJECTED' | 'PROCESSED';

/** Section 3.4. */
const table: StatusTable<TransferStatus> = {
  title: 'Transfer',
  section: '3.4',
  statuses: [
    { status: 'RECEIVED', final: false, resting: false, meaning: 'passed the API layer' },
    { status: 'PENDING', final: false, resting: false, meaning: 'created, checks or operations still running' },
    { status: 'INVALID', final: true, meaning: 'failed validation' },
    { status: 'REJECTED', final: true, meaning: 'check the error codes' },
    { status: 'PROCESSED', final: true, meaning: 'successfully processed' },
  ],
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
