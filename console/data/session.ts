import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { createSharedValue } from './shared-value.ts';

/** What the console shows, and whether it may write; undefined until the server has answered. */
export const session = createSharedValue<ReadAnswer<'session'> | undefined>(undefined);
