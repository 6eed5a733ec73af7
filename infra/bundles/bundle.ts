import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

export const repositoryRoot = join(import.meta.dirname, '../..');

/** The options of esbuild that all functions share. */
export const bundleOptions = {
  absWorkingDir: repositoryRoot,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions;

/**
 * Leaves packages out of a bundle that the SDK imports lazily and no function needs: providers of credentials that Lambda does not
 * have, and event streams. A lazy import that stays makes esbuild wrap all modules behind it.
 */
export const bundleCuts = {
  external: [
    '@aws-sdk/credential-provider-http',
    '@aws-sdk/credential-provider-ini',
    '@aws-sdk/credential-provider-process',
    '@aws-sdk/credential-provider-sso',
    '@aws-sdk/credential-provider-web-identity',
    '@smithy/core/event-streams',
    '@smithy/credential-provider-imds',
  ],
} satisfies BuildOptions;

/** The bundle of a function, beside `index.mjs`. */
export const bundleFile = 'function.cjs';

/**
 * What Lambda loads. An ES module, because Lambda waits for its top-level await before it hands over a request. `createRequire` comes
 * without an import, because an ES module that imports a builtin loads all of it.
 */
const entryModule = `const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
const { handler, ready } = require('./${bundleFile}');
await ready;
export { handler };
`;

/**
 * Bundles a function into `function.cjs`, and `index.mjs` that loads it, for Lambda's Node 24. The bundle is CommonJS, since in an ES
 * module the first import of a builtin loads Node's whole loader.
 *
 * @param entry the process entry, from the root of the repository. It exports `handler`, and may export `ready`: a promise that
 * resolves when the function can take its first request. It must not reject.
 * @throws when it does not compile
 */
export function bundleFunction(entry: string, outputDirectory: string) {
  const result = buildSync({
    ...bundleOptions,
    ...bundleCuts,
    entryPoints: [entry],
    outfile: join(outputDirectory, bundleFile),
  });
  writeFileSync(join(outputDirectory, 'index.mjs'), entryModule);
  return result;
}
