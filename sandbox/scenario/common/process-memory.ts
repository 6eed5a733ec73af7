import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { collectGarbage } from '#sandbox/aws/lambda/collect-garbage.ts';

const bytesPerMebibyte = 1_024 * 1_024;

/** The resident memory of a process, in MiB. Returns 0 if the process has ended. */
export function residentMebibytes(pid: number): Promise<number> {
  return readStatus(pid, /^VmRSS:\s*(\d+)/m);
}

/** Reads `/proc`, or asks `ps` for the resident memory on systems without it, such as macOS. */
async function readStatus(pid: number, field: RegExp): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = field.exec(status)?.[1];
  if (kibibytes !== undefined) return Number(kibibytes) / 1_024;
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '0' }));
  return Number(stdout.trim()) / 1_024;
}

/** In milliseconds: how long a function has to collect its garbage. */
const collectionMs = 500;

/**
 * The memory of a function's process on the laptop after it has collected its garbage, in MiB, without the pages of its program files:
 * the system reads those when their code first runs. Returns 0 if the process has ended.
 */
export async function settledMebibytes(pid: number): Promise<number> {
  try {
    process.kill(pid, 'SIGUSR2');
  } catch {
    return 0;
  }
  await setTimeout(collectionMs);
  return readStatus(pid, /^RssAnon:\s*(\d+)/m);
}

/** What this process keeps in memory, in MiB: it collects garbage first. */
export async function keptMebibytes(): Promise<number> {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / bytesPerMebibyte;
}
