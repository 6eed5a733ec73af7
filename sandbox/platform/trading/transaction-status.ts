import * as z from 'zod';

/** The statuses of section 3.5, without N/A: there is no transaction then. */
export const transactionStatus = z.enum(['COMPLETED', 'MODIFIED']);

export type TransactionStatus = z.infer<typeof transactionStatus>;
