import { join } from 'node:path';
import { packageFolder } from '#cli/init/package-folder.ts';

/** Where a page of the documentation is: in the repository, or in the npm package that runs. */
export function docsPage(page: `docs/${string}` | 'sandbox/platform/README.md'): string {
  return packageFolder === undefined ? page : join(packageFolder, page);
}
