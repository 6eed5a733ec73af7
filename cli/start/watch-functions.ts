import { copyFileSync, existsSync, type FSWatcher, readdirSync, readFileSync, renameSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '#cli/command/command-error.ts';
import type { HostedFunction } from '#sandbox/aws/lambda/function-host.ts';
import type { Bundling } from './recorded-bundlings.ts';

export type WatchedFunction = Pick<HostedFunction, 'name' | 'codeFolder' | 'renew'>;

export type WatchFunctionsProps = {
  readonly bundlings: readonly Bundling[];
  readonly functions: readonly WatchedFunction[];
  /** Where the CDK app was synthesized: a source map names its sources from there. */
  readonly assembly: string;
};

export type WatchFunctionsDeps = {
  /** In milliseconds, of a clock that only moves on. */
  readonly elapsed: () => number;
  readonly print: (line: string) => void;
};

export type Watch = {
  /** The names of the functions whose code is followed. */
  readonly names: readonly string[];
  readonly close: () => void;
};

/** In milliseconds: an editor writes a file in several steps. */
const settleTime = 50;

/**
 * Replaces the code of hosted functions when their sources change. Tables, queues and the platform keep their state. A function belongs to
 * the bundling that makes the code which it has.
 */
export async function watchFunctions(
  { bundlings, functions, assembly }: WatchFunctionsProps,
  deps: WatchFunctionsDeps,
): Promise<Watch> {
  const watched = await Promise.all(
    bundlings.map((bundle, index) => follow(bundle, functions, join(assembly, `watch-${index}`), deps)),
  );
  return {
    names: watched.flatMap(({ names }) => names).toSorted(),
    close: () => {
      for (const { close } of watched) close();
    },
  };
}

/** Follows the sources of one bundling. */
async function follow(
  bundle: Bundling,
  functions: readonly WatchedFunction[],
  folder: string,
  { elapsed, print }: WatchFunctionsDeps,
): Promise<Watch> {
  let sources = new Set(await bundle(folder));
  const mine = functions.filter(({ codeFolder }) => hasCode(codeFolder, folder));
  const names = mine.map(({ name }) => name);
  /** Then any file in a folder of the sources may be the one that did not compile. */
  let hasFailed = false;
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();

  async function replaceCode(): Promise<void> {
    const begin = elapsed();
    try {
      sources = new Set(await bundle(folder));
      hasFailed = false;
      watchFolders();
      if (mine.every(({ codeFolder }) => hasCode(codeFolder, folder))) return;
      for (const { codeFolder } of mine) putCode(codeFolder, folder);
      for (const one of mine) one.renew();
      print(`${names.join(', ')}: the new code is in place after ${((elapsed() - begin) / 1000).toFixed(1)} s.`);
    } catch (error) {
      hasFailed = true;
      print(`${names.join(', ')}: the code stays as it was, because the sources do not compile.\n${messageOf(error)}`);
    }
  }

  function onChange(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      working = working.then(replaceCode);
    }, settleTime);
  }

  /** Watches folders: many editors put a new file in the place of the old one. */
  function watchFolders(): void {
    const ofSources = [...sources].filter((path) => !path.includes('/node_modules/')).map((path) => dirname(path));
    for (const path of new Set(ofSources)) {
      if (watchers.has(path) || !existsSync(path)) continue;
      const watcher = watch(path, (_, name) => {
        if (name !== null && (hasFailed || sources.has(join(path, name)))) onChange();
      });
      watchers.set(path, watcher);
    }
  }

  if (mine.length > 0) watchFolders();
  return {
    names,
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

function hasCode(codeFolder: string, bundle: string): boolean {
  return readdirSync(bundle).every((name) => {
    const present = join(codeFolder, name);
    return existsSync(present) && readFileSync(present).equals(readFileSync(join(bundle, name)));
  });
}

/** A process that starts meanwhile reads the old file or the new one, and no half of either. */
function putCode(codeFolder: string, bundle: string): void {
  for (const name of readdirSync(bundle)) {
    const next = join(codeFolder, `${name}.next`);
    copyFileSync(join(bundle, name), next);
    renameSync(next, join(codeFolder, name));
  }
}
