import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** Stands in for `sandbox/laptop-files.ts` in the package, where the build puts these files beside the command. */
export const bootstrapFile = join(import.meta.dirname, 'bootstrap.js');

export const openApiFile = join(import.meta.dirname, '../openapi.json');

export function readViewerFile(name: string): Uint8Array {
  return brotliDecompressSync(readFileSync(join(import.meta.dirname, 'viewer', `${name}.br`)));
}
