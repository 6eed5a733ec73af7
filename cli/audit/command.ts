import { type Command, Option } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { moment, resolveMoments } from '#cli/command/list-options.ts';
import { count } from '#sandbox/terminal/command-line.ts';
import { operatorActions } from '#shared/operator-actions.ts';
import { describeIds, type OperatorActionRecord, readActions } from './read-actions.ts';

const auditOptions = z.object({
  from: z.string().optional(),
  to: z.string().optional(),
  action: z.enum(operatorActions).optional(),
  limit: z.number(),
});

/** Adds `audit`: what operators did with the deployment, from the log. */
export function addAuditCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('audit')
    .description(
      'Lists who read personal data or changed the deployment, the latest first. The log keeps it for logRetentionDays.',
    )
    .option(
      '--from <time>',
      'only actions of this time or later, such as 2026-01-31T08:00:00Z or 7d (default: 30 days before --to)',
      moment,
    )
    .option('--to <time>', 'only actions of this time or earlier (default: now)', moment)
    .addOption(new Option('--action <action>', 'only this action').choices([...operatorActions]))
    .option('--limit <number>', 'the most actions to list', count, 1_000)
    .action(async (given: unknown) => {
      const { output, connect } = createContext(command, deps);
      const deployment = await connect();
      const options = await resolveMoments(auditOptions.parse(given), deployment, deps);
      const actions = await readActions(deployment, options, deps);
      output.list(actions, {
        head: ['time', 'action', 'access key', 'about', 'count', 'reason'],
        row: (record) => [
          record.at,
          record.action,
          record.accessKeyId,
          describeIds(record),
          record.size,
          record.reason,
        ],
        none:
          (options.from ?? options.to) === undefined ? 'No action of the last 30 days matches.' : 'No action matches.',
      });
      const last = actions.at(-1);
      if (last !== undefined && actions.length === options.limit)
        output.note(
          `There may be more: these are the latest ${options.limit}. ${
            isOfOneSecond(actions) ? 'Raise' : `List earlier ones with --to ${last.at}, or raise`
          } --limit, up to 10,000.`,
        );
    });
  documentCommand(command, {
    examples: [
      'drawbridge audit --env production',
      'drawbridge audit --from 365d --limit 10000 --json --env production',
      'drawbridge audit --action "export requested" --from 365d --to 30d --env production',
    ],
    json: 'one action a line: `at`, `action`, `accessKeyId`, and of `onboardingId`, `naturalPersonIds`, `eventIds`, `queue`, `messageIds`, `rules`, `takeOver`, `remove`, `size` and `reason` those that the action has',
  });
}

/** The log is read by whole seconds: `--to` the last of these actions would list the same ones. */
function isOfOneSecond(actions: readonly OperatorActionRecord[]): boolean {
  return new Set(actions.map(({ at }) => Math.floor(Date.parse(at) / 1_000))).size === 1;
}
