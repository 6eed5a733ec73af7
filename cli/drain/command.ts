import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { recordAction } from '#cli/deployment/record-action.ts';
import { countOf } from '#cli/output/count-of.ts';
import { type DrainCounts, readDrainCounts } from './read-counts.ts';

const skipped = z.object({ skipped: z.string() });

/** Adds `drain`: fetches the undelivered webhooks now. */
export function addDrainCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('drain')
    .description('Runs Drain now, beside its schedule: stores what the platform could not deliver, and marks it.')
    .action(async () => {
      const { output, connect, confirm } = createContext(command, deps);
      const deployment = await connect();
      await confirm('store the undelivered webhooks, and mark them as delivered on the platform');
      await recordAction(deployment, { message: 'drain requested' }, deps);
      const { answer, log } = await deployment.invokeWithLog('Drain', {});
      const { data } = skipped.safeParse(answer);
      if (data !== undefined) throw new CommandError(data.skipped, 'drawbridge credentials set');
      const counts = readDrainCounts(log);
      output.answer(
        { drained: true, ...(counts ?? { found: null, stored: null, quarantined: null, marked: null }) },
        () => `${describe(counts)}\nWhat is left on the platform: drawbridge status`,
      );
    });
  documentCommand(command, {
    examples: ['drawbridge drain --env production'],
    json: '`drained`: true, and how many undelivered webhooks the run `found` on the platform, `stored`, `quarantined` (of those stored) and `marked` as delivered. A run of more than 100 calls can have done more. Null if the log of the run has no counts',
    writes: 'stores undelivered webhooks, and marks them as delivered on the platform',
  });
}

function describe(counts: DrainCounts | undefined): string {
  if (counts === undefined) return 'The run of Drain is over.';
  const { found, stored, quarantined, marked } = counts;
  const inQuarantine = quarantined === 0 ? '' : ` (${quarantined} in quarantine)`;
  return `The run of Drain is over: ${countOf(found, 'undelivered webhook')} found, ${stored} stored${inQuarantine}, ${marked} marked as delivered.`;
}
