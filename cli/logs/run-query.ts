import {
  type CloudWatchLogsClient,
  DescribeQueryDefinitionsCommand,
  GetQueryResultsCommand,
  type QueryDefinition,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { settingsNameOf } from '#cli/deployment/deployment.ts';

/** A query that the stacks have saved. */
export type SavedQuery = {
  readonly name: string;
  readonly text: string;
  readonly logGroups: readonly string[];
  /** What the operator replaces, such as `EVENT_ID`. */
  readonly names: readonly string[];
};

type Logs = Pick<CloudWatchLogsClient, 'send'>;

/** Reads the queries that the stacks of an environment have saved. */
export async function readQueries(logs: Logs, environment: string): Promise<readonly SavedQuery[]> {
  const prefix = `drawbridge-${settingsNameOf(environment)}/`;
  const found: QueryDefinition[] = [];
  let nextToken: string | undefined;
  do {
    const page = await logs.send(new DescribeQueryDefinitionsCommand({ queryDefinitionNamePrefix: prefix, nextToken }));
    found.push(...(page.queryDefinitions ?? []));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return found
    .map(({ name = '', queryString: text = '', logGroupNames: logGroups = [] }) => ({
      name: name.slice(prefix.length),
      text,
      logGroups,
      names: [...new Set([...text.matchAll(/"([A-Z]+_[A-Z_]+)"/g)].flatMap(([, word]) => word ?? []))],
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** @throws {CommandError} if the stacks are of a release without the query */
export function findQuery(queries: readonly SavedQuery[], name: string): SavedQuery {
  const found = queries.find((query) => query.name === name);
  if (found !== undefined) return found;
  throw new CommandError(
    `The deployment has no saved query ${name}: it is of an earlier release.`,
    'deploy this release, then run the command again.',
  );
}

/** CloudWatch writes times as `2026-01-31 08:00:00.000`, in UTC. */
export function isoTimeOf(text: string): string {
  return `${text.replace(' ', 'T')}Z`;
}

export type RunQueryOptions = {
  /** ISO 8601. */
  readonly from: string;
  /** Now, by the clock of the deployment. */
  readonly to: Date;
  /** What replaces each name of the query. */
  readonly set: Readonly<Record<string, string>>;
  readonly limit: number;
};

/** In milliseconds: between two reads of the result, and all of them. */
const interval = 1_000;
const deadline = 120_000;

/** Runs a query and waits for its result. @throws {CommandError} */
export async function runQuery(
  { name, text, logGroups, names }: SavedQuery,
  { from, to, set, limit }: RunQueryOptions,
  { logs, now, wait }: Pick<CommandDeps, 'now' | 'wait'> & { readonly logs: Logs },
): Promise<readonly Readonly<Record<string, string>>[]> {
  const [first] = names;
  if (first !== undefined && names.every((one) => set[one] === undefined))
    throw new CommandError(
      `The query ${name} asks for ${names.join(' or ')}.`,
      `drawbridge logs ${name} --set ${first}=…`,
    );
  const queryString = names.reduce((query, one) => query.replaceAll(`"${one}"`, `"${set[one] ?? one}"`), text);
  const { queryId } = await logs.send(
    new StartQueryCommand({
      queryString,
      logGroupNames: [...logGroups],
      startTime: Math.floor(Date.parse(from) / 1_000),
      endTime: Math.ceil(to.getTime() / 1_000),
      limit,
    }),
  );
  const giveUpAt = now().getTime() + deadline;
  for (;;) {
    const { status, results = [] } = await logs.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete')
      return results.map((row) =>
        Object.fromEntries(
          row.flatMap(({ field, value }) =>
            field === undefined || field === '@ptr' || value === undefined ? [] : [[field, value]],
          ),
        ),
      );
    if (status !== 'Running' && status !== 'Scheduled')
      throw new CommandError(
        `CloudWatch Logs ended the query as ${status}.`,
        'run the command again with a later --from.',
      );
    if (now().getTime() > giveUpAt)
      throw new CommandError('The query takes longer than two minutes.', 'run the command again with a later --from.');
    await wait(interval);
  }
}
