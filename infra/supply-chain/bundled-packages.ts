import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundleFunction, repositoryRoot } from '#infra/bundles/bundle.ts';

/** The packages of which a bundle holds code, by name, with the functions whose bundles hold it. */
export function bundledPackages(): ReadonlyMap<string, readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-bundles-'));
  const functions = new Map<string, string[]>();
  try {
    for (const entry of globSync('functions/*/*/lambda.ts', { cwd: repositoryRoot }).toSorted()) {
      const { metafile } = bundleFunction(entry, join(directory, entry));
      const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
      const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => packageOf(path));
      const name = dirname(entry).split('/').at(-1) ?? entry;
      for (const one of new Set(used)) if (one !== undefined) functions.set(one, [...(functions.get(one) ?? []), name]);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return functions;
}

/** The package of a file: `@smithy/core` of `node_modules/@smithy/core/dist-es/index.js`. */
function packageOf(path: string): string | undefined {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1];
}
