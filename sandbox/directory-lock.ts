import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** Another sandbox that is up keeps its files in this directory. */
export class DirectoryLockedError extends Error {
  override readonly name = 'DirectoryLockedError';

  constructor(directory: string, pid: number, file: string) {
    super(
      `Another sandbox, process ${pid}, uses ${directory}. End that process, or choose another directory with --directory. If process ${pid} is no sandbox, delete ${file}.`,
    );
  }
}

const lock = z.object({ pid: z.int().positive() });

/**
 * Locks a directory for this process: two sandboxes would overwrite each other's files. Takes over the lock of a process that
 * has ended without releasing it, as after a crash.
 *
 * @returns releases the lock
 * @throws {DirectoryLockedError} while the process that holds the lock is alive
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'lock.json');
  const text = JSON.stringify({ pid: process.pid });
  while (!writeNew(file, text)) {
    const held = readIfThere(file);
    const holder = lock.safeParse(parseJson(held ?? '')).data?.pid;
    if (holder !== undefined && isAlive(holder)) throw new DirectoryLockedError(directory, holder, file);
    if (held !== undefined) removeStale(file, held);
  }
  return () => rmSync(file, { force: true });
}

/** Writes a file that is not there yet, which one process alone can do. */
function writeNew(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Removes a stale lock by renaming it first: of two processes that have read the same stale lock, the second must not remove
 * the new lock of the first.
 */
function removeStale(file: string, stale: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  const taken = readIfThere(aside);
  rmSync(aside, { force: true });
  if (taken !== undefined && taken !== stale) writeNew(file, taken);
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

/** Signal 0 is sent to nobody: it only fails where there is no such process. EPERM means another user's process. */
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
