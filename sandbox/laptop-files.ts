import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The process of a function. In the package, `package/command/laptop-files.ts` stands in for this module. */
export const bootstrapFile = join(import.meta.dirname, 'aws/lambda/bootstrap.ts');

/** The OpenAPI document of Drawbridge's own API. */
export const openApiFile = join(import.meta.dirname, '../docs/reference/openapi.json');

/** A file of the viewer of OpenAPI documents. */
export function readViewerFile(name: string): Uint8Array {
  return readFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)));
}
