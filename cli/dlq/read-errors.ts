import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { readQueries, runQuery } from '#cli/logs/run-query.ts';
import type { DeadMessage } from './read-messages.ts';

/** The saved query that names the log groups of the functions. */
const query = 'failed-messages';

/** In milliseconds: a function can log before the time at which SQS says that the message was sent. */
const margin = 60_000;

/** A message fails up to some hundred times, and a query gives 10,000 rows. */
const maxRows = 10_000;

/** Joins messages to the last error that a function logged about each. @param now by the clock of the deployment @throws {CommandError} */
export async function addErrors<One extends DeadMessage>(
  { clients, environment }: Pick<Deployment, 'clients' | 'environment'>,
  messages: readonly One[],
  deps: Pick<CommandDeps, 'now' | 'wait'>,
  now: Date,
): Promise<readonly One[]> {
  const unexplained = messages.filter(({ error, messageId }) => error === undefined && /^[\w-]+$/.test(messageId));
  if (unexplained.length === 0) return messages;
  const saved = (await readQueries(clients.logs, environment)).find(({ name }) => name === query);
  if (saved === undefined) throw new CommandError(`The stacks have no log query ${query}.`, 'npx cdk deploy --all');
  const ids = unexplained.map(({ messageId }) => `"${messageId}"`).join(', ');
  const text = [
    'fields messageId, message, error.name, error.message',
    `filter message in ["message failed", "message timed out"] and messageId in [${ids}]`,
    'sort @timestamp desc',
  ].join('\n| ');
  const sentOn = unexplained.map((message) => Date.parse(message.sentOn ?? now.toISOString()));
  const from = new Date(Math.min(...sentOn) - margin).toISOString();
  const to = new Date(now.getTime() + margin);
  const rows = await runQuery(
    { ...saved, text, names: [] },
    { from, to, set: {}, limit: maxRows },
    {
      ...deps,
      logs: clients.logs,
    },
  );
  const last = new Map(rows.toReversed().map((row) => [row['messageId'], describe(row)]));
  return messages.map((message) => ({ ...message, error: message.error ?? last.get(message.messageId) }));
}

function describe({ message, ...row }: Readonly<Record<string, string>>): string {
  if (message === 'message timed out') return 'Timeout: the function did not finish the message in time';
  return [row['error.name'], row['error.message']].filter((part) => part !== undefined).join(': ');
}
