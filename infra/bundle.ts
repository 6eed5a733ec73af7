import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';

export const repositoryRoot = dirname(import.meta.dirname);

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
    absWorkingDir: repositoryRoot,
    entryPoints: [entry],
    outfile: join(outputDirectory, 'index.js'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    alias: { '@aws-sdk/credential-provider-node': './infra/lambda-credentials.ts' },
    // Imported lazily for event streams, which nothing here has. One lazy import inside, and esbuild wraps all that it
    // reaches: a third more time at init.
    external: ['@smithy/core/event-streams'],
  });
}
