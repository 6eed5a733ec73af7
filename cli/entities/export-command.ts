import { existsSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError, messageOf } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { createIdFinder } from '#cli/ids/find-id.ts';
import { countOf } from '#cli/output/count-of.ts';
import { exportPerson } from './export-person.ts';
import { addPersonOptions, readPersonOptions } from './person-options.ts';
import { readPerson, refuseOthers } from './preview-person.ts';

const exportOptions = z.object({ out: z.string().default('-') });

/** Adds `persons export`: all that is stored of a person. */
export function addExportCommand(persons: Command, deps: CommandDeps): void {
  const command = addPersonOptions(
    persons
      .command('export')
      .description(
        'Writes all that is stored of a person as one JSON document, which holds personal data: the log records who did.',
      ),
  )
    .option('--out <file>', 'a new file, which only you can read (default: prints the document)')
    .action(async (named: string, given: unknown) => {
      const { out } = exportOptions.parse(given);
      const { query, asGiven } = readPersonOptions(given);
      if (out !== '-' && existsSync(out))
        throw new CommandError(`${out} exists: nothing was exported.`, 'name a new file with --out.');
      const { output, connect } = createContext(command, deps);
      const deployment = await connect();
      const { api } = deployment;
      const externalId = await createIdFinder({ api, note: output.note }).findPerson(named);
      const found = await readPerson(externalId, query, { api, output, wait: deps.wait });
      refuseOthers(externalId, found, { command: 'export', asGiven });
      const document = await exportPerson(deployment, { externalId, query, found, output }, deps);
      if (!document.isComplete)
        output.note('The person has more events than one request lists: the document does not have all of them.');
      const text = JSON.stringify(document, undefined, 2);
      if (out === '-') {
        output.answer(document, () => text);
        return;
      }
      writeNewFile(out, `${text}\n`);
      const [events, entities] = [document.events.length + document.keptEvents.length, document.entities.length];
      output.answer(
        { externalId, file: out, events, entities },
        () => `${out} has ${countOf(events, 'event')} and ${countOf(entities, 'entity', 'entities')} of ${externalId}.`,
      );
    });
  documentCommand(command, {
    examples: ['drawbridge persons export your-id-of-the-person --out export.json --env production'],
    json: 'the document: `externalId`, `exportedOn`, `environment`, `version`, `naturalPersonIds`, `identificationVerificationIds`, `onboardings`, `requests`, `entities` with their `events`, `events` and `keptEvents` with their bodies, and `isComplete`. With `--out`, `externalId`, `file`, and how many `events` and `entities` the file has',
  });
}

/** A file that exists could be one that others can read. @throws {CommandError} */
function writeNewFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    throw new CommandError(`${file} cannot be written: ${messageOf(cause)}`, 'name a new file with --out.', { cause });
  }
}
