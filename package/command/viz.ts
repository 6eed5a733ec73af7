import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';
import type { instance as instanceOfViz } from '@viz-js/viz';

/** Stands in for the package `@viz-js/viz`, which is a fifth smaller in the tarball if it is compressed before npm does so. */
export async function instance(): ReturnType<typeof instanceOfViz> {
  const file = join(import.meta.dirname, 'viz.cjs.br');
  const code = brotliDecompressSync(readFileSync(file)).toString();
  const exports: { instance?: typeof instanceOfViz } = {};
  compileFunction(code, ['exports', 'require', '__filename'])(exports, createRequire(import.meta.url), file);
  if (exports.instance === undefined) throw new TypeError('viz.cjs.br does not hold @viz-js/viz.');
  return exports.instance();
}
