import { join } from 'node:path';

/** Stands in for `command-file.ts` in the package, where the command is in a folder beside the subpaths. */
export const commandFile = join(import.meta.dirname, 'cli/drawbridge.js');
