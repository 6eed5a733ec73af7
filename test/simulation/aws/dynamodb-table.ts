import { type AttributeValue, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { compareValues, type Item } from './attribute-value.ts';

/** What the stacks say of a table. */
export type TableKeys = {
  readonly partition: string;
  readonly sort?: string;
  readonly indexes?: readonly IndexKeys[];
};

export type IndexKeys = {
  readonly index: string;
  readonly partition: string;
  readonly sort?: string;
  /** The attributes that it holds besides the keys. */
  readonly includes: readonly string[];
};

/** In milliseconds: how far an index may lag behind. */
const longestLag = 5_000;

/** The attributes of the key, in the form in which the SDK has them. */
export type Table = ReturnType<typeof createTable>;

/** The items of a table, by their keys. */
export function createTable(keys: TableKeys, now: () => number = () => 0) {
  const items = new Map<string, Item>();
  /** What each was before it was written last. */
  const before = new Map<string, Item | undefined>();
  const writtenAt = new Map<string, number>();
  const keyNames = [keys.partition, ...(keys.sort === undefined ? [] : [keys.sort])];

  /** @throws ValidationException for what is no key of this table */
  function keyOf(source: Item): string {
    return JSON.stringify(
      keyNames.map((name) => {
        const text = source[name]?.S;
        if (text === undefined || text === '') throw validationError(`The key has no ${name}`);
        return text;
      }),
    );
  }

  function sortedBy(sort: string | undefined, some: readonly Item[]): readonly Item[] {
    if (sort === undefined) return some;
    return some.toSorted((one, other) => compareValues(attributeOf(one, sort), attributeOf(other, sort)) ?? 0);
  }

  return {
    keys,
    keyNames,
    keyOf,
    get: (key: Item): Item | undefined => items.get(keyOf(key)),
    /** As a read that is not consistent may see it. */
    getStale: (key: Item): Item | undefined => before.get(keyOf(key)),
    put: (item: Item): void => {
      const key = keyOf(item);
      before.set(key, items.get(key));
      writtenAt.set(key, now());
      items.set(key, item);
    },
    remove: (key: Item): void => void items.delete(keyOf(key)),
    /** All, in the order of their sort key. */
    all: (): readonly Item[] => sortedBy(keys.sort, [...items.values()]),
    /** What an index holds, in its order; what was written just now is as it was before, where the index lags behind. */
    allOf: ({ partition, sort, includes }: IndexKeys, isStale: () => boolean = () => false): readonly Item[] => {
      const indexKeys = [partition, ...(sort === undefined ? [] : [sort])];
      const seen = [...items].flatMap(([key, item]) => {
        const isFresh = now() - (writtenAt.get(key) ?? 0) < longestLag;
        return isFresh && isStale() ? (before.get(key) ?? []) : [item];
      });
      const held = seen.filter((item) => indexKeys.every((name) => name in item));
      return sortedBy(sort, held).map((item) => pick(item, [...keyNames, ...indexKeys, ...includes]));
    },
  };
}

/** Some of the attributes of an item. */
export function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

function attributeOf(item: Item, name: string): AttributeValue {
  return item[name] ?? { NULL: true };
}

export function validationError(message: string): DynamoDBServiceException {
  return new DynamoDBServiceException({ name: 'ValidationException', $fault: 'client', message, $metadata: {} });
}
