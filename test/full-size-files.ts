import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = dirname(import.meta.dirname);

/** What a module imports of this folder, types aside: paths from the root of the repository. */
function importsOf(path: string): readonly string[] {
  const source = readFileSync(join(root, path), 'utf8');
  const specifiers = [...source.matchAll(/^(?:import (?!type )[^;]*?|\} )from '((?:#test\/|\.)[^']+)';$/gm)];
  return specifiers.map(([, name = '']) =>
    name.startsWith('#') ? name.slice(1) : normalize(join(dirname(path), name)),
  );
}

/** The test files that `npm run verify` runs at full size: those that reach `full-size.ts` by their imports. */
export function filesWithFullSize(): readonly string[] {
  const imports = new Map(globSync('test/**/*.ts', { cwd: root }).map((path) => [path, importsOf(path)]));
  const reached = new Set(['test/full-size.ts']);
  for (const module of reached) for (const [path, names] of imports) if (names.includes(module)) reached.add(path);
  return [...reached].filter((path) => path.endsWith('.test.ts')).toSorted();
}
