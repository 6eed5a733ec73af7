import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { parseJson } from '#shared/parse-json.ts';
import { addControlOption, createControl } from './control-client.ts';

const snapshot = z.looseObject({ savedOn: z.string(), state: z.record(z.string(), z.unknown()) });

const writes = 'the sandbox platform, without a question';

/** Adds `reset`, `snapshot save` and `snapshot load`: the state of the sandbox platform as a whole. */
export function addStateCommands(program: Command, deps: CommandDeps): void {
  const reset = addControlOption(
    program
      .command('reset')
      .description(
        'Empties the sandbox platform. Drawbridge keeps what it has stored; restart npm start to empty both.',
      ),
  ).action(async () => {
    const { output, control } = createControl(reset, deps);
    await control.send({ method: 'POST', path: '/reset' }, z.unknown());
    output.answer({ reset: true }, () => 'The sandbox platform is empty. Tokens and webhooks stay.');
  });
  documentCommand(reset, { examples: ['drawbridge reset'], json: '`reset`', writes });

  const group = program.command('snapshot').description('The state of the sandbox platform in a file.');
  const save = addControlOption(
    group.command('save').description('Writes the state into a file.').argument('<file>', 'the file to write'),
  ).action(async (file: string) => {
    const { output, control } = createControl(save, deps);
    const saved = await control.send({ method: 'GET', path: '/snapshot' }, snapshot);
    writeSnapshot(file, saved);
    output.answer({ file, savedOn: saved.savedOn }, () => `${file} has the state of ${saved.savedOn}.`);
  });
  documentCommand(save, { examples: ['drawbridge snapshot save traders.json'], json: '`file` and `savedOn`' });

  const load = addControlOption(
    group
      .command('load')
      .description('Replaces the state by that of a file. Drawbridge keeps what it has stored.')
      .argument('<file>', 'a file of drawbridge snapshot save'),
  ).action(async (file: string) => {
    const { output, control } = createControl(load, deps);
    await control.send({ method: 'PUT', path: '/snapshot', body: readSnapshot(file) }, z.unknown());
    output.answer({ file }, () => `The sandbox platform has the state of ${file}.`);
  });
  documentCommand(load, { examples: ['drawbridge snapshot load traders.json'], json: '`file`', writes });
}

/** @throws {CommandError} if the file cannot be written */
function writeSnapshot(file: string, saved: z.infer<typeof snapshot>): void {
  try {
    writeFileSync(file, `${JSON.stringify(saved, undefined, 2)}\n`);
  } catch (cause) {
    throw new CommandError(`${file} cannot be written.`, 'name a file in a folder that exists.', { cause });
  }
}

/** @throws {CommandError} if the file cannot be read */
function readSnapshot(file: string): unknown {
  try {
    return snapshot.parse(parseJson(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new CommandError(`${file} is not a snapshot, or cannot be read.`, 'drawbridge snapshot save FILE', { cause });
  }
}
