import { join } from 'node:path';
import type { ConsoleAssets } from './build-assets.ts';

/** Bundles the pages of this repository. In the package, `package/command/console-assets.ts` stands in for this module. */
export async function loadConsoleAssets(): Promise<ConsoleAssets> {
  const { buildAssets } = await import('./build-assets.ts');
  return buildAssets(join(import.meta.dirname, '../../..'));
}
