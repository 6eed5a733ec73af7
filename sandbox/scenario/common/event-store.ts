import { setTimeout as wait } from 'node:timers/promises';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import type { Host } from '#sandbox/aws/host.ts';
import { type EventRow, readEventRow } from '#shared/events/event-row.ts';
import { countMessages } from './queues.ts';

/** What this file reads of the hosted stacks. */
type Stacks = Pick<Host, 'clients' | 'blueprint'>;

/** How long the functions may take without working off a message. */
const deadlineMs = 60_000;

/** Waits until no queue holds a message. Returns after a minute in which the number of messages has not fallen. */
export async function waitUntilStored(host: Stacks): Promise<void> {
  let minWaiting = Number.POSITIVE_INFINITY;
  for (let giveUpAt = Date.now() + deadlineMs; Date.now() < giveUpAt; await wait(100)) {
    const waiting = await countMessages(host, 'work');
    if (waiting === 0) return;
    if (waiting < minWaiting) giveUpAt = Date.now() + deadlineMs;
    minWaiting = Math.min(minWaiting, waiting);
  }
}

/** Reads every row of the events table. */
export async function readAllEvents({ clients, blueprint }: Stacks): Promise<readonly EventRow[]> {
  const table = blueprint.tables.find(({ name }) => name === 'events');
  const rows: EventRow[] = [];
  for await (const page of paginateScan(
    { client: clients.dynamodb },
    { TableName: table?.physicalName, ConsistentRead: true },
  ))
    rows.push(...(page.Items ?? []).map(readEventRow));
  return rows;
}
