import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { findQuery, isoTimeOf, readQueries, runQuery } from '#cli/logs/run-query.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import type { EventAnswer } from '#shared/api/query-answers.ts';

/** A delivery of a webhook, as the logs have it. */
type LoggedDelivery = {
  readonly deliveryId: string;
  /** When the API answered it; if the access log does not have it, when Store was done with it. ISO 8601, UTC. */
  readonly at: string;
  /** The status code that the platform got. Undefined if the access log does not have the delivery. */
  readonly status: number | undefined;
  readonly milliseconds: number | undefined;
  /** What Store found out: `stored`, or `duplicate` of an earlier delivery. */
  readonly outcome: string | undefined;
};

/** In milliseconds: an event is stored by another of its deliveries up to so long after the first, for SQS repeats one that fails. */
const before = 6 * 3_600_000;

/** In milliseconds: the clocks of the services differ. */
const after = 60_000;

/** The most that CloudWatch gives. */
const maxRows = 10_000;

/** A query has 10,000 characters at most, and an id has 36. */
const maxDeliveries = 200;

/**
 * Reads the deliveries of an event from the logs, the latest first: Store names the delivery of an event, and the access log has the
 * answer to it.
 *
 * @throws {CommandError}
 */
export async function readDeliveries(
  deployment: Pick<Deployment, 'clients' | 'environment' | 'control'>,
  { eventId, receivedOn }: Pick<EventAnswer, 'eventId' | 'receivedOn'>,
  deps: Pick<CommandDeps, 'fetch' | 'now' | 'wait'>,
): Promise<readonly LoggedDelivery[]> {
  const { logs } = deployment.clients;
  const [queries, now] = await Promise.all([readQueries(logs, deployment.environment), readClock(deployment, deps)]);
  const time = {
    from: new Date(Date.parse(receivedOn) - before).toISOString(),
    to: new Date(now.getTime() + after),
    limit: maxRows,
  };
  const run = (query: Parameters<typeof runQuery>[0], set: Readonly<Record<string, string>>) =>
    runQuery(query, { ...time, set }, { ...deps, logs });
  const lines = await run(findQuery(queries, 'one-event'), { EVENT_ID: eventId });
  const applied = new Map<string, (typeof lines)[number]>();
  for (const line of lines) {
    const { message, deliveryId = '' } = line;
    // SQS can hand a message over again: the first line says what the delivery was.
    if (message === 'event applied' && /^[\w=-]+$/.test(deliveryId) && !applied.has(deliveryId))
      applied.set(deliveryId, line);
  }
  if (applied.size === 0) return [];
  const ids = [...applied.keys()].slice(-maxDeliveries);
  const text = [
    'fields @timestamp, requestId, status, responseLatency',
    `filter requestId in [${ids.map((id) => `"${id}"`).join(', ')}]`,
  ].join('\n| ');
  const answers = await run({ ...findQuery(queries, 'one-delivery'), text, names: [] }, {});
  return ids
    .map((deliveryId) => {
      const answer = answers.find(({ requestId }) => requestId === deliveryId);
      const line = applied.get(deliveryId);
      return {
        deliveryId,
        at: isoTimeOf(answer?.['@timestamp'] ?? line?.['@timestamp'] ?? ''),
        status: numberOf(answer?.['status']),
        milliseconds: numberOf(answer?.['responseLatency']),
        outcome: line?.['outcome'],
      };
    })
    .toSorted((one, other) => other.at.localeCompare(one.at));
}

/** The access log has a hyphen for what a request does not have. */
function numberOf(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}
