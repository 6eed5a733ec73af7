import * as z from 'zod';
import keptUsage from './counted-usage.json' with { type: 'json' };

const count = z.number().nonnegative();

/** What the functions asked of AWS, and wrote to their logs. */
export const usage = z.strictObject({
  /** Requests by service and operation: `dynamodb PutItem`. */
  requests: z.record(z.string(), count),
  /** Write request units of DynamoDB, those of the indexes included. */
  writeUnits: count,
  /** Read request units of DynamoDB. */
  readUnits: count,
  /** Tables that a function used, counted once for each function. */
  tableUses: count,
  /** Events that were put on the bus. */
  busEvents: count,
  /** Bytes of those events. */
  busBytes: count,
  /** Bytes of the log lines, with the 26 that CloudWatch adds to each. */
  logBytes: count,
  /** Names of the metrics that were written. */
  metrics: z.array(z.string()),
});

export type Usage = Readonly<z.output<typeof usage>>;

const listUsage = z.strictObject({
  /** Write request units of DynamoDB. */
  writeUnits: count,
  /** Bytes by which the table and the index grow. */
  storedBytes: count,
});

/** Usage that was counted on the hosted stacks. */
const countedUsage = z.strictObject({
  countedBy: z.literal('node tools/usage/main.ts --save'),
  /**
   * Of one webhook, delivered by itself: the mean of the three webhooks of an order (PENDING, FILLED, SETTLED), each in another quarter of
   * an hour.
   */
  webhook: z.strictObject({
    ...usage.shape,
    /** Of `writeUnits`: those of the events table, and those of the index `due` of the entities table. */
    eventWriteUnits: count,
    dueWriteUnits: count,
    /** Bytes by which each table grew for one webhook. */
    storedBytes: z.strictObject({ events: count, entities: count }),
    /** What each time index adds if a setting asks for it. Part of no other figure. */
    lists: z.strictObject({ events: listUsage, entities: listUsage }),
  }),
  /** The same webhook with middy and Powertools, and a conditional write: what differs. */
  peers: z.strictObject({
    writeUnits: count,
    eventWriteUnits: count,
    readUnits: count,
    tableUses: count,
    busEvents: count,
    logBytes: count,
    metrics: z.array(z.string()),
    requests: z.record(z.string(), count),
  }),
  /** Of one run of each schedule that finds nothing to do, by the name of the schedule. */
  runs: z.record(z.string(), usage),
  /** What a run of `reconcile` takes more: for each transfer that it reads back, and for each person of the platform's list. */
  reconcile: z.strictObject({
    readBack: z.strictObject({ readUnits: count, writeUnits: count }),
    person: z.strictObject({ readUnits: count }),
  }),
});

export type CountedUsage = Readonly<z.output<typeof countedUsage>>;

/** Which time indexes an environment keeps. */
export type KeptLists = { readonly events: boolean; readonly entities: boolean };

/** The usage that is kept in `counted-usage.json`. */
export function readCountedUsage(): CountedUsage {
  return countedUsage.parse(keptUsage);
}
