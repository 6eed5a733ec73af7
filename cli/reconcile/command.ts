import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { recordAction } from '#cli/deployment/record-action.ts';
import type { GapReport } from '#shared/api/reconcile-answers.ts';
import { exitCodeOf, formatReport, sumOf } from './format-report.ts';
import { reconcileUntilComplete } from './reconcile-until-complete.ts';

const json = 'the report of [`Reconcile`](../reference/api.md#reconcile), with the gaps of all its invocations';

/** Adds `reconcile report` and `reconcile repair`: compare the entities with the platform now. */
export function addReconcileCommand(program: Command, deps: CommandDeps): void {
  const group = program.command('reconcile').description('Compares entities with the platform.');
  const full = ['--full', 'read the whole table of entities, too'] as const;
  const report = group
    .command('report')
    .description('Compares every person, and what is due, with the platform. Writes and repairs nothing.')
    .option(...full)
    .action(() => reconcile(report, 'report', deps));
  documentCommand(report, {
    examples: ['drawbridge reconcile report --env production'],
    json,
    found: 'entities have drifted, or are gone',
  });
  const repair = group
    .command('repair')
    .description('Compares every person, and what is due, with the platform, and repairs what differs.')
    .option(...full)
    .action(() => reconcile(repair, 'repair', deps));
  documentCommand(repair, {
    examples: ['drawbridge reconcile repair --env production --yes', 'drawbridge reconcile repair --full'],
    json,
    found: 'entities had drifted, or are gone',
    writes: 'repairs the entities that differ',
  });
}

async function reconcile(command: Command, mode: GapReport['mode'], deps: CommandDeps): Promise<void> {
  const { output, connect, confirm } = createContext(command, deps);
  const deployment = await connect();
  const { full: isFull } = z.object({ full: z.boolean().optional() }).parse(command.opts());
  if (mode === 'repair') {
    await confirm('compare entities with the platform, and repair what differs');
    await recordAction(deployment, { message: 'repair requested' }, deps);
  }
  const onProgress = (soFar: GapReport) => output.note(progressOf(soFar));
  const report = await reconcileUntilComplete(
    (event) => deployment.invoke('Reconcile', event),
    { mode, isFull },
    onProgress,
  );
  output.answer(report, (width) => formatReport(report, width));
  deps.exit(exitCodeOf(report));
}

function progressOf(report: GapReport): string {
  return `  ${sumOf(report, 'checked')} entities checked, ${sumOf(report, 'drifted')} drifted so far …`;
}
