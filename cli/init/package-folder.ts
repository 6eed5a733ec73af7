import { dirname } from 'node:path';

/**
 * The folder of the npm package that runs; undefined for the sources. In the package, `package/command/package-folder.ts` stands in for
 * this module.
 */
export const packageFolder: string | undefined = undefined;

/** The root of the repository; undefined in the package. */
export const repositoryFolder: string | undefined = dirname(dirname(import.meta.dirname));
