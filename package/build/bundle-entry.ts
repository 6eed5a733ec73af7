import { writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { buildSync, type Format } from 'esbuild';
import type { PackageEntry } from './entries.ts';
import { repositoryRoot } from './read-json.ts';

const formats = [
  { format: 'esm', extension: 'js' },
  { format: 'cjs', extension: 'cjs' },
] as const satisfies readonly { format: Format; extension: string }[];

/**
 * Bundles an entry as an ES module and as CommonJS, for Node 22 and newer. Packages stay outside.
 *
 * @throws when the entry does not compile, or imports a package that it does not declare
 */
export function bundleEntry(
  { name, source, packages, peers = [], aliases = {}, isCommonJs = false }: PackageEntry,
  directory: string,
): void {
  const outside = [...packages, ...peers];
  for (const { format, extension } of formats) {
    const { metafile } = buildSync({
      absWorkingDir: repositoryRoot,
      entryPoints: [source],
      outfile: join(directory, `${name}.${extension}`),
      format,
      bundle: true,
      platform: 'node',
      target: 'node22',
      alias: { ...aliases },
      ...(format === 'cjs' && { define: { 'import.meta.dirname': '__dirname' } }),
      external: outside.flatMap((external) => [external, `${external}/*`]),
      legalComments: 'none',
      minifyWhitespace: isCommonJs,
      logLevel: 'warning',
      metafile: true,
    });
    // What a source imports and the entry does not use is left out.
    const inlined = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((path) => path.includes('node_modules/')),
    );
    const unknown = Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path))
      .filter((path) => !isBuiltin(path) && !outside.some((one) => path === one || path.startsWith(`${one}/`)));
    const [undeclared] = [...inlined, ...unknown];
    if (undeclared !== undefined)
      throw new Error(`The subpath ${name} imports ${undeclared}: declare the package in package/build/entries.ts.`);
    if (isCommonJs && format === 'esm') {
      const names = Object.values(metafile.outputs).flatMap(({ exports }) => exports);
      writeFileSync(
        join(directory, `${name}.js`),
        `import all from './${name}.cjs';\nexport const { ${names.join(', ')} } = all;\n`,
      );
    }
  }
}
