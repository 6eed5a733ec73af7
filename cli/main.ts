#!/usr/bin/env node
/** The process entry of the `drawbridge` command. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { confirm, isCancel, password } from '@clack/prompts';
import { messageOf } from './command/command-error.ts';
import { commandNameOf } from './output/name-command.ts';
import { createStyle } from './output/output.ts';
import { createLineProgress, startTerminalProgress } from './output/progress.ts';
import { runProgram } from './run-program.ts';

/**
 * Ends a command whose reader has gone, as `head` does after its lines. Without this, Node throws, and what the command has to
 * remove stays: the rule and the queue of `tail` and `listen`.
 *
 * @param end called once, as a second signal would end the process before it has removed them
 */
function surviveClosedPipe(streams: readonly Writable[], end: () => void): void {
  let isEnding = false;
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (!isEnding) end();
      isEnding = true;
    });
}

/** Asks on the terminal. Enter is no. */
async function askYesNo(message: string): Promise<boolean> {
  const answer = await confirm({ message, initialValue: false, output: process.stderr });
  return !isCancel(answer) && answer;
}

/** Asks on the terminal. Enter is yes. */
async function askToContinue(message: string): Promise<boolean> {
  const answer = await confirm({ message, initialValue: true, output: process.stderr });
  return !isCancel(answer) && answer;
}

/** Asks for a text on the terminal, which shows no character of it. Undefined for Ctrl-C. */
async function askSecret(message: string): Promise<string | undefined> {
  const answer = await password({ message, output: process.stderr });
  return isCancel(answer) ? undefined : answer;
}

const isInteractive = process.stdin.isTTY && process.stderr.isTTY;

surviveClosedPipe([process.stdout, process.stderr], () => process.kill(process.pid, 'SIGTERM'));

/** Only a command that watches something lives on after Ctrl-C or a closed terminal, to end what it began. */
function untilInterrupted(): AbortSignal {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => interrupt.abort());
  return interrupt.signal;
}

/** Ends the process once its output is taken: `process.exit` drops what a pipe has not taken yet. */
async function exit(): Promise<never> {
  const written = (stream: Writable) => new Promise<void>((resolve) => stream.write('', () => resolve()));
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit();
}

runProgram(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  style: createStyle(process.stdout),
  terminalWidth: () => (process.stdout.isTTY ? process.stdout.columns : undefined),
  exit: (code) => {
    process.exitCode = code;
  },
  environment: process.env,
  platform: process.platform,
  commandName: commandNameOf(process.env),
  defaultDirectory: '.sandbox',
  askYesNo: isInteractive ? askYesNo : undefined,
  askToContinue: isInteractive ? askToContinue : undefined,
  askSecret: isInteractive ? askSecret : undefined,
  startProgress: isInteractive
    ? startTerminalProgress
    : createLineProgress((text) => process.stderr.write(`${text}\n`)),
  readFile: (path) => readFileSync(path === '-' ? process.stdin.fd : path, 'utf8'),
  fetch,
  now: () => new Date(),
  newId: () => randomUUID().slice(0, 8),
  wait: (milliseconds, signal) => wait(milliseconds, undefined, { signal }).catch(() => undefined),
  readLines: (signal) => createInterface({ input: process.stdin, signal }),
  untilInterrupted,
}).then(exit, (error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 2;
  return exit();
});
