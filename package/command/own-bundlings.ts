import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Stands in for `cli/start/own-bundlings.ts` in the package, which has no source of a function. */
export const recorderModule = pathToFileURL(join(import.meta.dirname, 'record-bundling.js')).href;

export function ownBundlings(): readonly never[] {
  return [];
}
