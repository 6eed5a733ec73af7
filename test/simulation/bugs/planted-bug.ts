import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PromiseNumber } from '#test/simulation/promises/promise.ts';

/** A mutation of one line of the product: what would break a promise, and which. */
export type PlantedBug = {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Any of these may be the first to be seen broken. */
  readonly breaks: readonly PromiseNumber[];
};

/** The text to find is not there exactly once: the bug is to be written anew. */
export class UnplantableBugError extends Error {
  override readonly name = 'UnplantableBugError';
}

const root = join(import.meta.dirname, '../../..');

/** The source with the bug in it. @throws {UnplantableBugError} */
export function mutate({ name, find, replace }: PlantedBug, source: string): string {
  const places = source.split(find).length - 1;
  if (places !== 1)
    throw new UnplantableBugError(`"${name}" is to be planted once, and its text is there ${places} times.`);
  return source.replace(find, () => replace);
}

/** @throws {UnplantableBugError} */
export function checkPlantable(bug: PlantedBug): void {
  mutate(bug, readFileSync(join(root, bug.file), 'utf8'));
}

/** From now on this thread loads the source with the bug in it. Before anything of the product was loaded. */
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
