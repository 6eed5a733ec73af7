/**
 * The folder of the npm package that runs; undefined for the sources. In the package, `package/command/package-folder.ts` stands in for
 * this module.
 */
export const packageFolder: string | undefined = undefined;
