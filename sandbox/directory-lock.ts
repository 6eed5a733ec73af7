import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SandboxError } from './errors.ts';

const lock = z.object({ pid: z.int().positive() });

/**
 * Locks a directory for this process: two sandboxes would overwrite each other's files. Takes over the lock of a process that
 * has ended without releasing it, as after a crash.
 *
 * @returns releases the lock
 * @throws {SandboxError} DIRECTORY_LOCKED while the process that holds the lock is alive
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'lock.json');
  const text = JSON.stringify({ pid: process.pid });
  const holder = lockFile(file, text);
  if (holder !== undefined)
    throw new SandboxError(
      'DIRECTORY_LOCKED',
      `Another sandbox, process ${holder}, uses ${directory}. End that process, or choose another directory with --directory. If process ${holder} is not a sandbox, delete ${file}.`,
    );
  // An operator may have deleted the lock, and another process may have locked the directory since.
  return () => {
    if (readIfThere(file) === text) rmSync(file, { force: true });
  };
}

/** Creates a lock, or takes over a stale one. Returns the process that holds the lock, if another one does. */
function lockFile(file: string, text: string): number | undefined {
  while (!createWhole(file, text)) {
    const held = readIfThere(file);
    if (held === undefined) continue;
    const holder = lock.safeParse(parseJson(held)).data?.pid;
    if (holder !== undefined && isAlive(holder)) return holder;
    const takeover = replaceStale(file, held, text);
    if (takeover.isDone || takeover.holder !== undefined) return takeover.holder;
  }
  return undefined;
}

type Takeover = { readonly isDone: boolean; readonly holder?: number | undefined };

/**
 * Replaces a stale lock, under a lock of its own: of two processes that have read the same stale lock, the second must not
 * replace the new lock of the first. That lock, too, is stale after a crash, and is taken over likewise.
 */
function replaceStale(file: string, stale: string, text: string): Takeover {
  const guard = `${file}.takeover`;
  const holder = lockFile(guard, text);
  if (holder !== undefined) return { isDone: false, holder };
  try {
    if (readIfThere(file) !== stale) return { isDone: false };
    withCopy(file, text, (copy) => renameSync(copy, file));
    return { isDone: true };
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Creates a file, which only one process can do. No process sees the file before its text is in it. */
function createWhole(file: string, text: string): boolean {
  return withCopy(file, text, (copy) => {
    try {
      linkSync(copy, file);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    }
  });
}

function withCopy<Result>(file: string, text: string, use: (copy: string) => Result): Result {
  const copy = `${file}.${process.pid}`;
  writeFileSync(copy, text);
  try {
    return use(copy);
  } finally {
    rmSync(copy, { force: true });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Signal 0 sends no signal: it fails only if there is no such process. EPERM means another user's process. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
