import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { createStore } from './store.ts';

/** What the console shows, and whether it may write; undefined until the server has answered. */
export const session = createStore<ReadAnswer<'session'> | undefined>(undefined);
