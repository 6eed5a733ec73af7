import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDirectory } from '#sandbox/directory-lock.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-lock-'));
  file = join(directory, 'lock.json');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The id of a process that has ended. */
const endedPid = () => spawnSync(process.execPath, ['--version']).pid;

describe('sandbox: lockDirectory', () => {
  it('rejects a second sandbox and names the process and the file', () => {
    lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(expect.objectContaining({ code: 'DIRECTORY_LOCKED' }));
    expect(() => lockDirectory(directory)).toThrow(`process ${process.pid}, uses ${directory}`);
    expect(() => lockDirectory(directory)).toThrow(`delete ${file}`);
  });

  it('allows a new lock after the release', () => {
    lockDirectory(directory)();
    expect(existsSync(file)).toBe(false);
    lockDirectory(directory)();
  });

  it('takes over the lock of a process that has ended', () => {
    writeFileSync(file, JSON.stringify({ pid: endedPid() }));
    const unlock = lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(`process ${process.pid}`);
    unlock();
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each(['', '{', '{"pid":0}', '{"pid":"1"}', 'null'])('takes over the lock when the file holds %j', (text) => {
    writeFileSync(file, text);
    lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(expect.objectContaining({ code: 'DIRECTORY_LOCKED' }));
  });

  it('keeps the lock of a new holder when the former one releases late', () => {
    const unlock = lockDirectory(directory);
    rmSync(file);
    const other = JSON.stringify({ pid: process.ppid });
    writeFileSync(file, other);
    unlock();
    expect(readFileSync(file, 'utf8')).toBe(other);
  });
});
