import { join } from 'node:path';

/** The command `drawbridge`. In the package, `built-command-file.ts` stands in for this module. */
export const commandFile = join(import.meta.dirname, '../../cli/main.ts');
