import * as z from 'zod';
import type { Usage } from '#cli/cost/counted-usage.ts';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { Host } from '#sandbox/aws/host.ts';
import { entryOf, type Index, type Row, sizeOf, writeUnitsOf } from './capacity-units.ts';

/** CloudWatch adds this to each log line. */
export const bytesPerLogLine = 26;

/** DynamoDB adds this to what it stores of each row. */
const bytesPerRow = 100;

const row = z.record(z.string(), z.record(z.string(), z.unknown()));
const tableInput = z.looseObject({ TableName: z.string(), ConsistentRead: z.boolean().optional() });
const writeInput = z.looseObject({ TableName: z.string(), Key: row.optional(), Item: row.optional() });
const readItem = z.object({ Item: row.optional() });
const batchInput = z.looseObject({
  RequestItems: z.record(z.string(), z.looseObject({ Keys: z.array(z.unknown()) })),
});
const batchConsumed = z.object({ ConsumedCapacity: z.array(z.object({ CapacityUnits: z.number() })) });
const consumed = z.object({ ConsumedCapacity: z.object({ CapacityUnits: z.number() }) });
const putEvents = z.object({ Entries: z.array(z.object({ Detail: z.string() })) });
const metricLine = z.object({
  _aws: z.object({ CloudWatchMetrics: z.array(z.object({ Metrics: z.array(z.object({ Name: z.string() })) })) }),
});

const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);
const reads = new Set(['GetItem', 'Query', 'Scan']);

type ListUsage = { readonly writeUnits: number; readonly storedBytes: number };

/** The indexes that a setting keeps. */
const listIndexes: ReadonlySet<string> = new Set(['listed', 'received']);

/** The attributes that only these indexes need. */
const listAttributes: ReadonlySet<string> = new Set(['listLane', 'receivedLane', 'changedOn', 'shownStatus']);

type Counted = {
  readonly requests: Map<string, number>;
  readonly tableUses: Set<string>;
  /** Bytes by which each table has grown, by its name. */
  readonly grown: Map<string, number>;
  /** What the time index of each table took, by the name of the table. Part of no other figure. */
  readonly lists: Map<string, ListUsage>;
  /** Write units of each table, by its name, and those of each index among them, by {@link indexName}. */
  readonly written: Map<string, number>;
  writeUnits: number;
  readUnits: number;
  busEvents: number;
  busBytes: number;
};

function nothing(): Counted {
  return {
    requests: new Map(),
    tableUses: new Set(),
    grown: new Map(),
    lists: new Map(),
    written: new Map(),
    writeUnits: 0,
    readUnits: 0,
    busEvents: 0,
    busBytes: 0,
  };
}

export type UsageCounter = {
  readonly onAwsCall: (moment: AwsCallMoment) => Promise<void>;
  /** Counts from 0 again. */
  readonly start: () => void;
  readonly read: () => Usage & Pick<Counted, 'grown' | 'lists' | 'written'>;
};

export type UsageCounterDeps = {
  /** The hosted stacks, once they are there. */
  readonly stacks: () => Pick<Host, 'blueprint' | 'place'> | undefined;
  /** All that the functions have logged: lines of the name of a function and what it wrote. */
  readonly readLog: () => string;
};

/** The name of an index among those of tables. */
export function indexName(table: string, index: string): string {
  return `${table}/index/${index}`;
}

/** Counts what the functions of hosted stacks ask of AWS. Counts a write rightly while no other write happens. */
export function createUsageCounter({ stacks, readLog }: UsageCounterDeps): UsageCounter {
  let counted = nothing();
  let logStart = 0;
  let before: Row | undefined;

  function tableOf(name: string) {
    const properties = stacks()?.blueprint.tables.find(({ physicalName }) => physicalName === name)?.properties;
    const indexes = (properties?.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => ({
      name: IndexName,
      keys: KeySchema.map(({ AttributeName }) => AttributeName),
      projected: Projection.ProjectionType === 'ALL' ? undefined : (Projection.NonKeyAttributes ?? []),
    }));
    return { keys: (properties?.KeySchema ?? []).map(({ AttributeName }) => AttributeName), indexes };
  }

  /** Asks DynamoDB itself, past the functions: a call without the name of a function is not counted. */
  async function ask(operation: string, input: object): Promise<unknown> {
    const answer = await fetch(stacks()?.place.awsOrigin ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        authorization:
          'AWS4-HMAC-SHA256 Credential=counter/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
        'x-amz-date': '20260101T000000Z',
      },
      body: JSON.stringify(input),
    });
    return answer.json();
  }

  async function readRow(input: unknown): Promise<Row | undefined> {
    const { TableName, Key, Item } = writeInput.parse(input);
    const { keys } = tableOf(TableName);
    const ofRow = Object.fromEntries(Object.entries(Key ?? Item ?? {}).filter(([name]) => keys.includes(name)));
    return readItem.parse(await ask('GetItem', { TableName, Key: ofRow, ConsistentRead: true })).Item;
  }

  async function countWrite(input: unknown): Promise<void> {
    const { TableName } = tableInput.parse(input);
    const { keys, indexes } = tableOf(TableName);
    const after = await readRow(input);
    const isList = ({ name }: { readonly name: string }) => listIndexes.has(name);
    const others = indexes.filter((index) => !isList(index));
    const writeUnits = writeUnitsOf(before, after, others, keys);
    counted.writeUnits += writeUnits;
    const add = (name: string, units: number) => counted.written.set(name, (counted.written.get(name) ?? 0) + units);
    add(TableName, writeUnits);
    for (const index of others)
      add(
        indexName(TableName, index.name),
        writeUnitsOf(before, after, [index], keys) - writeUnitsOf(before, after, [], keys),
      );
    const growthOf = (from: Row | undefined, to: Row | undefined) =>
      sizeOf(to ?? {}) - sizeOf(from ?? {}) + (from === undefined && to !== undefined ? bytesPerRow : 0);
    const growth = growthOf(withoutList(before), withoutList(after));
    counted.grown.set(TableName, (counted.grown.get(TableName) ?? 0) + growth);
    const entryGrowth = (index: Index) => growthOf(entryOf(before, index, keys), entryOf(after, index, keys));
    const ofIndex = indexes.filter(isList).reduce((sum, index) => sum + entryGrowth(index), 0);
    const list = counted.lists.get(TableName) ?? { writeUnits: 0, storedBytes: 0 };
    counted.lists.set(TableName, {
      writeUnits: list.writeUnits + writeUnitsOf(before, after, indexes, keys) - writeUnits,
      storedBytes: list.storedBytes + growthOf(before, after) - growth + ofIndex,
    });
  }

  async function onAwsCall({ when, service, operation, caller, input }: AwsCallMoment): Promise<void> {
    if (caller === undefined) return;
    const isWrite = service === 'dynamodb' && writes.has(operation);
    if (when === 'before') {
      if (isWrite) before = await readRow(input());
      return;
    }
    const name = `${service} ${operation}`;
    counted.requests.set(name, (counted.requests.get(name) ?? 0) + 1);
    if (service === 'dynamodb')
      for (const table of tablesOf(operation, input())) counted.tableUses.add(`${caller} ${table}`);
    if (isWrite) await countWrite(input());
    if (service === 'dynamodb' && reads.has(operation)) {
      const again = { ...tableInput.parse(input()), ReturnConsumedCapacity: 'TOTAL' };
      const { CapacityUnits } = consumed.parse(await ask(operation, again)).ConsumedCapacity;
      // The emulator takes nothing for a query without a result.
      counted.readUnits += Math.max(CapacityUnits, again.ConsistentRead === true ? 1 : 0.5);
    }
    if (service === 'dynamodb' && operation === 'BatchGetItem') {
      const keys = Object.values(batchInput.parse(input()).RequestItems).flatMap(({ Keys }) => Keys);
      const again = { ...batchInput.parse(input()), ReturnConsumedCapacity: 'TOTAL' };
      const units = batchConsumed.parse(await ask(operation, again)).ConsumedCapacity.map((one) => one.CapacityUnits);
      // The emulator takes nothing for a key without an item. The functions read consistently.
      counted.readUnits += Math.max(
        keys.length,
        units.reduce((sum, one) => sum + one, 0),
      );
    }
    if (service === 'eventBridge' && operation === 'PutEvents')
      for (const { Detail } of putEvents.parse(input()).Entries) {
        counted.busEvents += 1;
        counted.busBytes += Buffer.byteLength(Detail);
      }
  }

  function readLines(): Pick<Usage, 'logBytes' | 'metrics'> {
    const lines = readLog().slice(logStart).split('\n').filter(Boolean);
    const texts = lines.map((line) => line.slice(line.indexOf(' ') + 1));
    const metrics = texts.filter((text) => text.includes('"_aws"')).flatMap(metricsOf);
    return {
      logBytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text) + bytesPerLogLine, 0),
      metrics: [...new Set(metrics)].toSorted(),
    };
  }

  return {
    onAwsCall,
    start: () => {
      counted = nothing();
      logStart = readLog().length;
    },
    read: () => ({
      ...counted,
      ...readLines(),
      requests: Object.fromEntries([...counted.requests].toSorted()),
      tableUses: counted.tableUses.size,
    }),
  };
}

function tablesOf(operation: string, input: unknown): readonly string[] {
  return operation === 'BatchGetItem'
    ? Object.keys(batchInput.parse(input).RequestItems)
    : [tableInput.parse(input).TableName];
}

export function metricsOf(line: string): readonly string[] {
  const { CloudWatchMetrics } = metricLine.parse(JSON.parse(line))._aws;
  return CloudWatchMetrics.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name));
}

function withoutList(row: Row | undefined): Row | undefined {
  return row && Object.fromEntries(Object.entries(row).filter(([name]) => !listAttributes.has(name)));
}
