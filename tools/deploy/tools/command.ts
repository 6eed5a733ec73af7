import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { ProcessFailedError } from '#tools/deploy/errors.ts';

export type CommandOptions = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the program, and starts no later one. */
  readonly signal?: AbortSignal | undefined;
};

const maxOutputBytes = 64 * 1024 * 1024;
const maxShownLines = 20;

/** Runs a program to its end and returns its standard output. @throws {ProcessFailedError} */
export async function runCommand(program: string, args: readonly string[], options: CommandOptions): Promise<string> {
  options.signal?.throwIfAborted();
  try {
    const { stdout } = await promisify(execFile)(program, [...args], { ...options, maxBuffer: maxOutputBytes });
    return stdout;
  } catch (cause) {
    const { stdout = '', stderr = '' } = z.object({ stdout: z.string(), stderr: z.string() }).partial().parse(cause);
    const shown = [program, ...args.slice(0, 3).map(firstLine)].join(' ');
    throw new ProcessFailedError(`${shown} failed:\n${lastLines(stdout)}\n${lastLines(stderr)}`, { stdout, cause });
  }
}

/**
 * Runs a program that ends with an exit code above 0 when it has findings, and prints them as JSON.
 *
 * @throws {ProcessFailedError} when it printed no JSON
 */
export async function runScanner(program: string, args: readonly string[], options: CommandOptions): Promise<string> {
  try {
    return await runCommand(program, args, options);
  } catch (error) {
    if (error instanceof ProcessFailedError && /^[[{]/.test(error.stdout)) return error.stdout;
    throw error;
  }
}

/** Whether programs end with the exit code 0. */
export async function succeeds(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (error instanceof ProcessFailedError) return false;
    throw error;
  }
}

function lastLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-maxShownLines).join('\n');
}

const firstLine = (text: string) => text.split('\n', 1).join();
