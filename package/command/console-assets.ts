import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Stands in for `cli/console/assets/console-assets.ts` in the package, where the build puts the pages beside the command. */
export async function loadConsoleAssets(): Promise<
  ReadonlyMap<string, { readonly contentType: string; readonly body: Uint8Array }>
> {
  const read = (name: string, contentType: string) =>
    [`/assets/${name}`, { contentType, body: readFileSync(join(import.meta.dirname, 'console', name)) }] as const;
  return new Map([
    read('console.js', 'text/javascript; charset=utf-8'),
    read('live-worker.js', 'text/javascript; charset=utf-8'),
    read('console.css', 'text/css; charset=utf-8'),
  ]);
}
