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

/** Leaves parts out of a bundle. `npm run measure` shows what each function gains. */
export const bundleCuts = {
  alias: { '@aws-sdk/credential-provider-node': './infra/bundles/lambda-credentials.ts' },
  // Imported lazily for event streams, which no function uses. A lazy import makes esbuild wrap everything it reaches.
  external: ['@smithy/core/event-streams'],
} satisfies BuildOptions;

/**
 * Bundles a function into `index.js`, for Lambda's Node 24. CommonJS, since in an ES module the first import of a
 * builtin loads Node's whole loader. The SDK is inside, since that of the runtime is slower to load and cannot be pinned.
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
