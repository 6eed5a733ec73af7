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
 * Leaves the SDK out of a bundle: our own clients stand in for those of the SDK, which the sources import (docs/decisions/0370).
 * What a stand-in lacks does not compile. `npm run measure` shows what each function gains.
 */
export const bundleCuts = {
  alias: {
    '@aws-sdk/client-dynamodb': './shared/aws/client/dynamodb.ts',
    '@aws-sdk/client-eventbridge': './shared/aws/client/eventbridge.ts',
    '@aws-sdk/client-secrets-manager': './shared/aws/client/secrets-manager.ts',
    '@aws-sdk/client-sqs': './shared/aws/client/sqs.ts',
  },
} satisfies BuildOptions;

/**
 * Bundles a function into `index.js`, for Lambda's Node 24. CommonJS, since in an ES module the first import of a
 * builtin loads Node's whole loader.
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
