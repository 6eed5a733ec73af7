import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { moment, resolveMoments } from '#cli/command/list-options.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { count } from '#sandbox/terminal/command-line.ts';
import { readQueries, runQuery } from './run-query.ts';

const logsOptions = z.object({
  from: z.string().optional(),
  set: z.record(z.string(), z.string()),
  limit: z.number(),
});

/** In milliseconds. */
const defaultRange = 3 * 3_600_000;

/** Adds `logs`: runs a saved query of CloudWatch Logs Insights. */
export function addLogsCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('logs')
    .description(
      'Runs a saved log query. Without a query, lists the saved queries. The laptop has the latest 100,000 lines.',
    )
    .argument('[query]', 'the name of the query; without it, the command lists the queries')
    .option(
      '--from <time>',
      'only lines of this time or later, such as 2026-01-31T08:00:00Z or 2h (default: 3h)',
      moment,
    )
    .option('--set <NAME=value>', 'replaces a name of the query, such as EVENT_ID; can be repeated', setting, {})
    .option('--limit <number>', 'the most rows', count, 100)
    .action(async (name: string | undefined, given: unknown) => {
      const { output, connect } = createContext(command, deps);
      const deployment = await connect();
      const options = await resolveMoments(logsOptions.parse(given), deployment, deps);
      const { environment, clients } = deployment;
      const queries = await readQueries(clients.logs, environment);
      if (name === undefined) {
        output.list(queries, {
          head: ['query', 'replace with --set'],
          row: (query) => [query.name, query.names.join(', ')],
          none: 'No query is saved.',
        });
        return;
      }
      const query = queries.find((one) => one.name === name);
      if (query === undefined)
        throw new CommandError(`There is no saved query ${name}.`, 'drawbridge logs, which lists the queries.');
      const to = await readClock(deployment, deps);
      const from = options.from ?? new Date(to.getTime() - defaultRange).toISOString();
      const rows = await runQuery(query, { ...options, from, to }, { ...deps, logs: clients.logs });
      const head = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      const none =
        options.from === undefined
          ? 'No line of the last 3 hours matches. For a longer time, add --from, such as --from 2d.'
          : 'No line matches.';
      output.list(rows, { head, row: (row) => head.map((column) => row[column]), none });
      if (rows.length >= options.limit)
        output.note(`There may be more rows, of any time: raise --limit (now ${options.limit}), up to 10,000.`);
    });
  documentCommand(command, {
    examples: [
      'drawbridge logs failed-messages',
      'drawbridge logs errors-by-function --env production',
      'drawbridge logs one-onboarding --set ONBOARDING_ID=5e1f…0807 --from 2d --env production',
    ],
    json: 'one row of the result a line, with the columns of the query. Without a query, `name`, `text`, `logGroups` and `names` (to replace) of each saved query',
  });
}

function setting(text: string, others: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Z][A-Z_]*)=([\w:.-]+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('The value must be a name of the query and an id, such as EVENT_ID=5e1f.');
  return { ...others, [name]: value };
}
