#!/usr/bin/env node
/** The process entry of the `drawbridge` command. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from './command/message-of.ts';
import { askSecret, askToContinue, askYesNo } from './confirm/ask.ts';
import { commandNameOf } from './output/name-command.ts';
import { createLineProgress, startTerminalProgress } from './output/progress.ts';
import { surviveClosedPipe } from './output/survive-closed-pipe.ts';
import { runProgram } from './run-program.ts';

const isInteractive = process.stdin.isTTY && process.stderr.isTTY;

surviveClosedPipe([process.stdout, process.stderr], () => process.kill(process.pid, 'SIGTERM'));

/** Only a command that watches something lives on after Ctrl-C or a closed terminal, to end what it began. */
function untilInterrupted(): AbortSignal {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => interrupt.abort());
  return interrupt.signal;
}

runProgram(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
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
}).then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exit(2);
  },
);
