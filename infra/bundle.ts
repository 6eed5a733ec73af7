import { dirname, join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

export const repositoryRoot = dirname(import.meta.dirname);

/** What esbuild is told, but for the function and where to put it. */
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

/** What is kept out of a bundle. `npm run measure` shows what each function gains by it. */
export const bundleCuts = {
  alias: { '@aws-sdk/credential-provider-node': './infra/lambda-credentials.ts' },
  // Imported lazily for event streams, which nothing here has. One lazy import inside, and esbuild wraps all that it
  // reaches.
  external: ['@smithy/core/event-streams'],
} satisfies BuildOptions;

/**
 * Bundles a function into `index.js`, for Lambda's Node 24. CommonJS, since in an ES module the first import of a
 * builtin loads Node's whole loader; with the SDK inside, since that of the runtime is slower to load and not ours to
 * pin.
 *
 * @param entry the process entry, from the root of the repository
 * @throws when it does not compile
 */
export function bundleFunction(entry: string, outputDirectory: string) {
  return buildSync({
    ...bundleOptions,
    ...bundleCuts,
    entryPoints: [entry],
    outfile: join(outputDirectory, 'index.js'),
  });
}
