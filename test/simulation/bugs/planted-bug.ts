import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PromiseNumber } from '#test/simulation/promises/promise.ts';

/** A mutation of the product that breaks a promise. */
export type PlantedBug = {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The promises of which any can be the first one to break. */
  readonly breaks: readonly PromiseNumber[];
};

/** The text to replace does not occur exactly once: the product has changed, and the bug must follow the change. */
export class UnplantableBugError extends Error {
  override readonly name = 'UnplantableBugError';
}

const root = join(import.meta.dirname, '../../..');

/** The source with the planted bug. @throws {UnplantableBugError} */
export function mutate({ name, file, find, replace }: PlantedBug, source: string): string {
  const places = source.split(find).length - 1;
  if (places !== 1)
    throw new UnplantableBugError(
      `The text of the planted bug "${name}" occurs ${places} times in ${file}: find the code that does the same now, ` +
        `adapt file, find and replace so that the bug breaks the same promise, and run npm run simulate -- --bug "${name}".`,
    );
  return source.replace(find, () => replace);
}

/** @throws {UnplantableBugError} */
export function checkPlantable(bug: PlantedBug): void {
  mutate(bug, readFileSync(join(root, bug.file), 'utf8'));
}

/** Makes this thread load the source with the bug. Call this function before the product is loaded. */
export function plant(bug: PlantedBug): void {
  const target = pathToFileURL(join(root, bug.file)).href;
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (url !== target) return loaded;
      return { ...loaded, source: mutate(bug, String(loaded.source)) };
    },
  });
}
