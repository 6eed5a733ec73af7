import { InvalidArgumentError } from 'commander';
import * as z from 'zod';

/** What a shell expects of a program that Ctrl-C has ended. */
export const interruptedCode = 130;

/** An option that is a number of something. @throws {InvalidArgumentError} */
export function count(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return number;
}

/** @throws {InvalidArgumentError} */
export function portNumber(text: string): number {
  const number = count(text);
  if (number > 65_535) throw new InvalidArgumentError('There are no ports above 65535.');
  return number;
}

/** @throws {InvalidArgumentError} */
export function dateTime(text: string): Date {
  if (!z.iso.datetime({ offset: true }).safeParse(text).success)
    throw new InvalidArgumentError('It must be a date-time such as 2026-11-21T08:00:00Z.');
  return new Date(text);
}

/** Resolves when the program is told to end. */
export function interruption(): Promise<'interrupted'> {
  return new Promise((interrupt) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt('interrupted'));
  });
}

/** @throws where Node is older than that of `npm ci` */
export function requireNode24(): void {
  if (!process.version.startsWith('v24.'))
    throw new Error(`Start it with npm, which runs it on Node 24: this is Node ${process.version}.`);
}
