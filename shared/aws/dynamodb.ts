import { inflateRawSync } from 'node:zlib';
import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';

export type Item = Readonly<Record<string, AttributeValue>>;

/** One item of a table. All keys that are read of a table have the same attributes. */
export type ItemKey = { readonly tableName: string; readonly key: Item };

/** The item of a key that was read; undefined if there is none. @throws `UnreadItemError` */
export type ItemLookup = (key: ItemKey) => Item | undefined;

/** Reads items with strong consistency, however many, each once. @throws when DynamoDB did not answer */
export type BatchGet = (keys: readonly ItemKey[]) => Promise<ItemLookup>;

type BatchGetDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  /** By table: the attributes to read, the key among them. All attributes unless given. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
};

/** The keys of one call: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const maxKeys = 100;

type Part = ReadonlyMap<string, ItemKey>;

/** How often a call is made for the keys that DynamoDB leaves unprocessed. */
const maxAttempts = 4;

/** In milliseconds: the maximum pause before the second attempt. Each later one is twice as long. */
const firstPause = 50;

export function createBatchGet({ dynamodb, attributes = {}, random, wait }: BatchGetDeps): BatchGet {
  return async (keys) => {
    const asked = new Map(keys.map((key) => [nameOf(key), key]));
    const items = new Map<string, Item>();
    const unread = new Set<string>();

    async function readPart(part: Part): Promise<void> {
      let left = part;
      for (let attempts = 0; attempts < maxAttempts && left.size > 0; attempts += 1) {
        if (attempts > 0) await wait(random() * firstPause * 2 ** (attempts - 1));
        left = await sendAgain(left, attempts);
      }
      for (const name of left.keys()) unread.add(name);
    }

    /** If DynamoDB throttles every key of a repeated call, the call fails. What was read before is kept. */
    async function sendAgain(part: Part, attempts: number): Promise<Part> {
      try {
        return await send(part);
      } catch (error) {
        if (attempts === 0) throw error;
        return part;
      }
    }

    /** Keeps what DynamoDB answers. Returns the keys that are unprocessed. */
    async function send(part: Part): Promise<Part> {
      const { Responses = {}, UnprocessedKeys = {} } = await dynamodb.send(
        new BatchGetItemCommand({ RequestItems: requestOf([...part.values()], attributes) }),
      );
      const keyOf = keysLike([...part.values()]);
      for (const [tableName, found] of Object.entries(Responses))
        for (const item of found) items.set(nameOf(keyOf(tableName, item)), item);
      const left = Object.entries(UnprocessedKeys).flatMap(([tableName, { Keys = [] }]) =>
        Keys.map((key) => keyOf(tableName, key)),
      );
      return new Map(left.map((key) => [nameOf(key), key]));
    }

    const names = [...asked];
    const parts = Array.from({ length: Math.ceil(names.length / maxKeys) }, (_, index) =>
      names.slice(index * maxKeys, (index + 1) * maxKeys),
    );
    await Promise.all(parts.map((part) => readPart(new Map(part))));
    return (key) => {
      const name = nameOf(key);
      if (!asked.has(name) || unread.has(name))
        throw new DrawbridgeError('UnreadItemError', 'DynamoDB left a key unprocessed: read the item again.');
      return items.get(name);
    };
  };
}

function requestOf(keys: readonly ItemKey[], attributes: Readonly<Record<string, readonly string[]>>) {
  const byTable = Map.groupBy(keys, ({ tableName }) => tableName);
  return Object.fromEntries(
    [...byTable].map(([tableName, ofTable]) => [
      tableName,
      {
        Keys: ofTable.map(({ key }) => key),
        ConsistentRead: true,
        ...(attributes[tableName] && { ProjectionExpression: attributes[tableName].join(', ') }),
      },
    ]),
  );
}

/** Takes the key out of an item, as the keys that were asked for have it. */
function keysLike(keys: readonly ItemKey[]) {
  const names = new Map(keys.map(({ tableName, key }) => [tableName, Object.keys(key)]));
  return (tableName: string, item: Item): ItemKey => ({
    tableName,
    key: Object.fromEntries((names.get(tableName) ?? []).flatMap((name) => (item[name] ? [[name, item[name]]] : []))),
  });
}

function nameOf({ tableName, key }: ItemKey): string {
  return JSON.stringify([
    tableName,
    ...Object.keys(key)
      .toSorted()
      .flatMap((name) => [name, key[name]?.S]),
  ]);
}

/**
 * The next version of a row. It is at least the time, in seconds since 1970, so that it is above every version of a row that was lost or
 * restored from a backup. An onboarding uses it for its first version only.
 *
 * @param read the version of the row; undefined of a new one
 */
export function nextVersion(read: number | undefined, now: Date): number {
  return Math.max((read ?? 0) + 1, Math.floor(now.getTime() / 1_000));
}

/** Another writer has changed an item since it was read (optimistic locking). Says what the caller can do next. */
export class ConflictError extends DrawbridgeError {
  constructor(message: string, options?: ErrorOptions) {
    super('ConflictError', message, options);
  }
}

export type RetryOnConflictOptions = {
  /** Including the first attempt. */
  readonly maxAttempts: number;
  /** Waits before a retry. `retries` says how many retries came before. No pause unless given. */
  readonly pause?: (retries: number) => Promise<void>;
};

/**
 * Reads, decides and saves again after a conflict with another writer, up to `maxAttempts` times.
 *
 * @param attempt throws a {@link ConflictError} if the condition of its write does not hold
 * @throws {ConflictError} after the last attempt
 */
export async function retryOnConflict<Result>(
  { maxAttempts, pause }: RetryOnConflictOptions,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConflictError) || retries + 1 >= maxAttempts) throw error;
    }
    await pause?.(retries);
  }
}

/** What DynamoDB answers; undefined if the condition of the write does not hold. */
export async function ifConditionHolds<Output>(sent: Promise<Output>): Promise<Output | undefined> {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** A whole number, as DynamoDB stores it. */
export const wholeNumber = z.pipe(
  z.pipe(
    z.object({ N: z.string() }),
    z.transform(({ N }) => Number(N)),
  ),
  z.int(),
);

/** In bytes: far more than the text of any row. */
const maxOutputLength = 16 * 1024 * 1024;

/**
 * Reads rows of a table, and says of those that are not what we write which fields are wrong, never their values.
 *
 * @param refuse the error for these fields
 */
export function createRowReader(refuse: (fields: readonly string[]) => Error) {
  function read<Schema extends z.ZodMiniType>(
    schema: Schema,
    value: unknown,
    within: readonly string[] = [],
  ): z.output<Schema> {
    const result = z.safeParse(schema, value);
    if (result.success) return result.data;
    throw refuse(result.error.issues.map(({ path }) => [...within, ...path].join('.')));
  }

  function parse<Schema extends z.ZodMiniType>(schema: Schema, field: string, text: () => string): z.output<Schema> {
    let value: unknown;
    try {
      value = JSON.parse(text());
    } catch {
      // No cause: a SyntaxError quotes the text.
      throw refuse([field]);
    }
    return read(schema, value, [field]);
  }

  return {
    read,
    /** An attribute that holds JSON. */
    readJson: <Schema extends z.ZodMiniType>(schema: Schema, field: string, json: string) =>
      parse(schema, field, () => json),
    /** An attribute that holds deflated JSON (RFC 1951). */
    readDeflated: <Schema extends z.ZodMiniType>(schema: Schema, field: string, bytes: Uint8Array) =>
      parse(schema, field, () => inflateRawSync(bytes, { maxOutputLength }).toString()),
  };
}
