import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { createConfirm } from '#cli/confirm/confirm.ts';
import { type CopiedRows, copyMissingRows } from './copy-missing-rows.ts';

const copyOptions = z.object({
  from: z.string().min(1),
  to: z.string().min(1),
  region: z.string().optional(),
  yes: z.boolean(),
});

/** Adds `copy-rows`: copies the rows of a restored table that the table in use lacks. */
export function addCopyRowsCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('copy-rows')
    .description('Copies each row of a restored table that another table lacks. Overwrites no row.')
    .requiredOption('--from <table>', 'the restored table')
    .requiredOption('--to <table>', 'the table that lacks rows')
    .action(async () => {
      const { from, to, region, yes } = copyOptions.parse(command.optsWithGlobals());
      const { output } = createContext(command, deps);
      // A table names its environment: --env does not. So the laptop is not an exception here.
      const place = `on AWS, in ${region === undefined ? 'the region of the AWS configuration' : region}`;
      requireEndpoint(deps.environment);
      await createConfirm({ ...deps, isAsked: !yes, place })(`add to ${to} each row of ${from} that ${to} lacks`);
      const dynamodb = new DynamoDBClient(region === undefined ? {} : { region });
      const onProgress = ({ copied, kept }: CopiedRows) => output.note(`  ${copied} rows copied, ${kept} were there …`);
      const copiedRows = await copyMissingRows({ dynamodb, from, to, onProgress });
      const { copied, kept, erased } = copiedRows;
      const leftOut = erased === 0 ? '' : ` ${erased} rows are of erased persons and were left out.`;
      output.answer(copiedRows, () => `${copied} rows copied to ${to}. ${kept} rows were there and stay.${leftOut}`);
    });
  documentCommand(command, {
    examples: ['drawbridge copy-rows --from events-restored --to drawbridge-production-events'],
    json: '`copied`, `kept`, and `erased`: rows of erased persons, which are left out',
    writes: 'adds rows to the table that `--to` names, in the region of `--region`. No row is overwritten',
  });
}

/** Other commands learn at the stacks that an address is none. @throws {CommandError} */
function requireEndpoint({ AWS_ENDPOINT_URL: endpoint }: CommandDeps['environment']): void {
  if (endpoint !== undefined && endpoint !== '' && !URL.canParse(endpoint))
    throw new CommandError(`AWS_ENDPOINT_URL is not a URL: ${endpoint}`, 'correct AWS_ENDPOINT_URL, or unset it.');
}
