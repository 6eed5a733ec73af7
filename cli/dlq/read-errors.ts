import type { CommandDeps } from '#cli/command/command-deps.ts';
import { messageOf } from '#cli/command/command-error.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { findQuery, readQueries, runQuery } from '#cli/logs/run-query.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import type { DeadMessage } from './read-messages.ts';

/** The saved query that names the log groups of the functions. */
const query = 'failed-messages';

/** In milliseconds: a function can log before the time at which SQS says that the message was sent. */
const margin = 60_000;

/** A message fails up to some hundred times, and a query gives 10,000 rows. */
const maxRows = 10_000;

/** A query has 10,000 characters at most, and an id has 36. */
const maxIds = 200;

export type Explained<One extends DeadMessage> = {
  readonly messages: readonly One[];
  /** Why the log cannot be read for the errors. */
  readonly unread: string | undefined;
};

/** Joins messages to the last error that a function logged about each, if the log can be read. */
export async function explainMessages<One extends DeadMessage>(
  deployment: Pick<Deployment, 'clients' | 'environment' | 'control'>,
  messages: readonly One[],
  deps: Pick<CommandDeps, 'now' | 'wait' | 'fetch'>,
): Promise<Explained<One>> {
  try {
    const now = await readClock(deployment, deps);
    return { messages: await addErrors(deployment, messages, deps, now), unread: undefined };
  } catch (error) {
    return { messages, unread: messageOf(error) };
  }
}

/** @throws {CommandError} */
async function addErrors<One extends DeadMessage>(
  { clients, environment }: Pick<Deployment, 'clients' | 'environment'>,
  messages: readonly One[],
  deps: Pick<CommandDeps, 'now' | 'wait'>,
  now: Date,
): Promise<readonly One[]> {
  const unexplained = messages.filter(({ error, messageId }) => error === undefined && /^[\w-]+$/.test(messageId));
  if (unexplained.length === 0) return messages;
  const saved = findQuery(await readQueries(clients.logs, environment), query);
  const to = new Date(now.getTime() + margin);
  const last = new Map<string | undefined, string>();
  for (let start = 0; start < unexplained.length; start += maxIds) {
    const some = unexplained.slice(start, start + maxIds);
    const ids = some.map(({ messageId }) => `"${messageId}"`).join(', ');
    const text = [
      'fields messageId, message, error.name, error.message',
      `filter message in ["message failed", "message timed out"] and messageId in [${ids}]`,
      'sort @timestamp desc',
    ].join('\n| ');
    const sentOn = some.map((message) => Date.parse(message.sentOn ?? now.toISOString()));
    const from = new Date(Math.min(...sentOn) - margin).toISOString();
    const options = { from, to, set: {}, limit: maxRows };
    const rows = await runQuery({ ...saved, text, names: [] }, options, { ...deps, logs: clients.logs });
    for (const row of rows.toReversed()) last.set(row['messageId'], describe(row));
  }
  return messages.map((message) => ({ ...message, error: message.error ?? last.get(message.messageId) }));
}

function describe({ message, ...row }: Readonly<Record<string, string>>): string {
  if (message === 'message timed out') return 'Timeout: the function did not finish the message in time';
  return [row['error.name'], row['error.message']].filter((part) => part !== undefined).join(': ');
}
