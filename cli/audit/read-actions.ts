import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { findQuery, isoTimeOf, readQueries, runQuery } from '#cli/logs/run-query.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import type { OperatorAction } from '#shared/operator-actions.ts';

/** Ids that CloudWatch gives with commas in between. */
const list = z
  .string()
  .transform((text) => text.split(','))
  .optional();

/** A row of the saved query `operator-actions`. */
const row = z
  .object({
    '@timestamp': z.string(),
    message: z.string(),
    accessKeyId: z.string().optional(),
    onboardingId: z.string().optional(),
    naturalPersonIds: list,
    eventId: list,
    eventIds: list,
    queue: z.string().optional(),
    messageIds: list,
    rules: list,
    takeOver: list,
    remove: list,
    size: z.coerce.number().optional(),
    reason: z.string().optional(),
  })
  .transform(({ '@timestamp': at, message: action, eventId, eventIds = eventId, ...others }) => ({
    at: isoTimeOf(at),
    action,
    ...others,
    eventIds,
  }));

/** What an operator did with the deployment, as the log recorded it. */
export type OperatorActionRecord = z.output<typeof row>;

export type ReadActionsOptions = {
  /** ISO 8601; without it, 30 days before `to`. */
  readonly from?: string | undefined;
  /** ISO 8601; without it, now. */
  readonly to?: string | undefined;
  /** Only actions that are recorded so. */
  readonly action?: OperatorAction | undefined;
  readonly limit: number;
};

/** In milliseconds. */
const defaultRange = 30 * 24 * 3_600_000;

/** Reads the records of the actions of operators, the latest first. @throws {CommandError} */
export async function readActions(
  deployment: Pick<Deployment, 'clients' | 'control' | 'environment'>,
  { from, to: end, action, limit }: ReadActionsOptions,
  deps: Pick<CommandDeps, 'fetch' | 'now' | 'wait'>,
): Promise<readonly OperatorActionRecord[]> {
  const { logs } = deployment.clients;
  const saved = findQuery(await readQueries(logs, deployment.environment), 'operator-actions');
  const query = action === undefined ? saved : { ...saved, text: `filter message = "${action}" | ${saved.text}` };
  const to = end === undefined ? await readClock(deployment, deps) : new Date(end);
  const begin = from ?? new Date(to.getTime() - defaultRange).toISOString();
  const rows = await runQuery(query, { from: begin, to, set: {}, limit }, { ...deps, logs });
  return z.array(row).parse(rows);
}

/** The ids of a record in one cell. */
export function describeIds(record: OperatorActionRecord): string {
  const { onboardingId, naturalPersonIds, eventIds, messageIds, queue, rules, takeOver, remove } = record;
  return [
    ...(queue === undefined ? [] : [queue]),
    ...(onboardingId === undefined ? [] : [`onboarding ${onboardingId}`]),
    ...some('person', naturalPersonIds),
    ...some('event', eventIds),
    ...some('message', messageIds),
    ...some('rule', rules),
    ...some('take over', takeOver),
    ...some('remove', remove),
  ].join(', ');
}

/** A table has only the first id. */
function some(what: string, ids: readonly string[] = []): readonly string[] {
  const [first, ...others] = ids;
  if (first === undefined) return [];
  return [others.length === 0 ? `${what} ${first}` : `${what} ${first} and ${others.length} more`];
}
