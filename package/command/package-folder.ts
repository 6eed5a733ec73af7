import { dirname } from 'node:path';

/** Stands in for `cli/init/package-folder.ts` in the package. */
export const packageFolder: string | undefined = dirname(import.meta.dirname);

export const repositoryFolder: string | undefined = undefined;
