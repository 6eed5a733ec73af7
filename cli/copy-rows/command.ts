import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import * as z from 'zod';
import { copyMissingRows } from './copy-missing-rows.ts';

export type CopyRowsCommandDeps = { readonly print: (text: string) => void };

const copyOptions = z.object({ from: z.string().min(1), to: z.string().min(1) });

/** Adds `copy-rows`: copies the rows of a restored table that the table in use lacks. */
export function addCopyRowsCommand(program: Command, { print }: CopyRowsCommandDeps): void {
  program
    .command('copy-rows')
    .description('Copies each row of a restored table that another table lacks. Overwrites no row.')
    .requiredOption('--from <table>', 'the restored table')
    .requiredOption('--to <table>', 'the table that lacks rows')
    .action(async (given: unknown) => {
      const { from, to } = copyOptions.parse(given);
      const dynamodb = new DynamoDBClient({});
      const onProgress = ({ copied, kept }: { readonly copied: number; readonly kept: number }) =>
        print(`  ${copied} rows copied, ${kept} were there …`);
      const { copied, kept } = await copyMissingRows({ dynamodb, from, to, onProgress });
      print(`${copied} rows copied to ${to}. ${kept} rows were there and stay.`);
    });
}
