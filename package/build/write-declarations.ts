import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repositoryRoot } from './read-json.ts';

/**
 * Writes the declarations of every source that an entry reaches, as the compiler emits them, below `types/`. Each is there for ES
 * modules and for CommonJS, and names its imports by relative paths: a `#` import is one of this repository.
 *
 * @throws when the sources have errors of types
 */
export function writeDeclarations(directory: string): void {
  const types = join(directory, 'types');
  const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
  const project = join(repositoryRoot, 'package/tsconfig.json');
  execFileSync(process.execPath, [compiler, '--project', project, '--outDir', types], { stdio: ['ignore', 2, 2] });
  for (const path of globSync('**/*.d.ts', { cwd: types })) {
    const text = readFileSync(join(types, path), 'utf8');
    writeFileSync(join(types, path), rewriteImports(text, path, 'js'));
    writeFileSync(join(types, path.replace(/\.d\.ts$/, '.d.cts')), rewriteImports(text, path, 'cjs'));
  }
}

/**
 * The text of a declaration with imports that resolve in the package.
 *
 * @param path of the declaration, from the root of the declarations
 */
export function rewriteImports(text: string, path: string, extension: 'js' | 'cjs'): string {
  return text.replace(
    /(\bfrom |\bimport\(|\bimport )(['"])(#|\.\/)([^'"]+)\.ts\2/g,
    (_, keyword: string, quote: string, start: string, target: string) => {
      const to = start === '#' ? relative(dirname(path), target) : target;
      return `${keyword}${quote}${to.startsWith('.') ? '' : './'}${to}.${extension}${quote}`;
    },
  );
}
