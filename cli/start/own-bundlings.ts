import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleCuts, bundleFile, bundleOptions, repositoryRoot } from '#infra/bundles/bundle.ts';
import type { Bundling } from './recorded-bundlings.ts';

/** The module that notes the bundlings of a CDK app. In the package, `package/command/own-bundlings.ts` stands in for this file. */
export const recorderModule = pathToFileURL(join(import.meta.dirname, 'record-bundling.ts')).href;

/** The bundlings of the functions of this repository, as a deployment bundles them. */
export function ownBundlings(): readonly Bundling[] {
  return globSync('functions/*/*/lambda.ts', { cwd: repositoryRoot }).map((entry) => async (folder) => {
    const { metafile } = await build({
      ...bundleOptions,
      ...bundleCuts,
      entryPoints: [entry],
      outfile: join(folder, bundleFile),
      logLevel: 'silent',
    });
    return Object.keys(metafile.inputs).map((path) => resolve(repositoryRoot, path));
  });
}
