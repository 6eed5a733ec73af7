import { pathToFileURL } from 'node:url';

/**
 * Imports a module of which only the path is known: a function's. It waits for the top-level await of the module. The one file that
 * may import what no folder rule can check.
 */
export function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  return import(pathToFileURL(path).href);
}
