import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { SandboxError } from '#sandbox/errors.ts';

/** The exit code that a shell expects of a program that Ctrl-C has ended. */
export const interruptedCode = 130;

/** Parses an option that is a positive whole number. @throws {InvalidArgumentError} */
export function count(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('The value must be a whole number above 0.');
  return number;
}

/** Parses an option that is a whole number, 0 included. @throws {InvalidArgumentError} */
export function countOrNone(text: string): number {
  return text === '0' ? 0 : count(text);
}

/** Parses an option that is a port. @throws {InvalidArgumentError} */
export function portNumber(text: string): number {
  const number = count(text);
  if (number > 65_535) throw new InvalidArgumentError('The highest port is 65535.');
  return number;
}

/** The most that the traffic of the sandbox can do. */
const maxPerSecond = 50;

/** Parses an option that is a rate, such as `5/s` or `0.5`. @throws {InvalidArgumentError} */
export function perSecond(text: string): number {
  const rate = Number(text.replace(/\/s$/, ''));
  if (!(rate > 0 && rate <= maxPerSecond))
    throw new InvalidArgumentError(`The value must be a rate such as 5/s, at most ${maxPerSecond}/s.`);
  return rate;
}

/** Parses an option that is a date-time with an offset. @throws {InvalidArgumentError} */
export function dateTime(text: string): Date {
  if (!z.iso.datetime({ offset: true }).safeParse(text).success)
    throw new InvalidArgumentError('The value must be a date-time such as 2026-11-21T08:00:00Z.');
  return new Date(text);
}

/** Parses an option that is a file to write: a run of minutes ends with it. @throws {InvalidArgumentError} */
export function fileToWrite(text: string): string {
  const folder = dirname(resolve(text));
  if (!existsSync(folder)) throw new InvalidArgumentError(`There is no folder ${folder}.`);
  return text;
}

/** Resolves when the program receives SIGINT or SIGTERM. */
export function interruption(): Promise<'interrupted'> {
  return new Promise((interrupt) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt('interrupted'));
  });
}

/** @throws if this is not Node 24, on which the functions run on AWS too */
export function requireNode24(): void {
  if (!process.version.startsWith('v24.'))
    throw new SandboxError(
      'NODE_VERSION',
      `This is Node ${process.version}, and the functions run on Node 24. Run npm install --save-dev node@24: npm start and npx then use it.`,
    );
}
