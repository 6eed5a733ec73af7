import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { type CopiedRows, copyMissingRows } from './copy-missing-rows.ts';

const copyOptions = z.object({ from: z.string().min(1), to: z.string().min(1) });

/** Adds `copy-rows`: copies the rows of a restored table that the table in use lacks. */
export function addCopyRowsCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('copy-rows')
    .description('Copies each row of a restored table that another table lacks. Overwrites no row.')
    .requiredOption('--from <table>', 'the restored table')
    .requiredOption('--to <table>', 'the table that lacks rows')
    .action(async (given: unknown) => {
      const { from, to } = copyOptions.parse(given);
      const { output } = createContext(command, deps);
      const dynamodb = new DynamoDBClient({});
      const onProgress = ({ copied, kept }: CopiedRows) => output.note(`  ${copied} rows copied, ${kept} were there …`);
      const copiedRows = await copyMissingRows({ dynamodb, from, to, onProgress });
      const { copied, kept } = copiedRows;
      output.answer(copiedRows, () => `${copied} rows copied to ${to}. ${kept} rows were there and stay.`);
    });
  documentCommand(command, {
    examples: ['drawbridge copy-rows --from events-restored --to drawbridge-production-events'],
    json: '`copied` and `kept`',
    writes: 'adds rows to the table that `--to` names, without a question: no row is overwritten',
  });
}
