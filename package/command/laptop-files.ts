import { join } from 'node:path';

/** Stands in for `sandbox/laptop-files.ts` in the package, where the build puts these files beside the command. */
export const bootstrapFile = join(import.meta.dirname, 'bootstrap.js');

export const openApiFile = join(import.meta.dirname, 'openapi.json');

export function viewerFile(name: string): string {
  return join(import.meta.dirname, 'viewer', name);
}
