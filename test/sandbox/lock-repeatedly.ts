/**
 * `node lock-repeatedly.ts <directory> <end>`: locks a directory again and again until the time `end`, and writes how often it
 * has held the lock, and how often another process held the lock at the same time.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockDirectory } from '#sandbox/directory-lock.ts';
import { SandboxError } from '#sandbox/errors.ts';

const [directory = '', end = '0'] = process.argv.slice(2);
const file = join(directory, 'lock.json');
const inUse = join(directory, 'in-use');
const ended = JSON.stringify({ pid: spawnSync(process.execPath, ['--version']).pid });

let [held, violations] = [0, 0];

function use(): void {
  try {
    closeSync(openSync(inUse, 'wx'));
    rmSync(inUse);
  } catch {
    violations += 1;
  }
}

/** As a crash leaves it behind: the lock of a process that has ended. */
function leaveStale(): void {
  const aside = join(directory, `stale-${process.pid}`);
  writeFileSync(aside, ended);
  renameSync(aside, file);
}

while (Date.now() < Number(end)) {
  try {
    const unlock = lockDirectory(directory);
    held += 1;
    use();
    if (held % 2 === 0) leaveStale();
    else unlock();
  } catch (error) {
    if (!(error instanceof SandboxError && error.code === 'DIRECTORY_LOCKED')) throw error;
  }
}
process.stdout.write(JSON.stringify({ held, violations }));
