import { type AttributeValue, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { compareValues, type Item } from './attribute-value.ts';

/** The keys and indexes of a table, as the stacks declare them. */
export type TableKeys = {
  readonly partition: string;
  readonly sort?: string;
  readonly indexes?: readonly IndexKeys[];
};

export type IndexKeys = {
  readonly index: string;
  readonly partition: string;
  readonly sort?: string;
  /** The projected attributes besides the keys. */
  readonly includes: readonly string[];
};

/** The attributes of the key, in the form in which the SDK has them. */
export type Table = ReturnType<typeof createTable>;

type Matches = (item: Item) => boolean;

/** The items of a table, by their keys. */
export function createTable(keys: TableKeys) {
  const items = new Map<string, Item>();
  /** The version of each item before its latest write. */
  const before = new Map<string, Item | undefined>();
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
    if (some.length < 2) return some;
    return some.toSorted((one, other) => compareValues(attributeOf(one, sort), attributeOf(other, sort)) ?? 0);
  }

  /** Items with equal sort keys of an index have a stable order, so that pages follow each other. */
  function heldBy({ partition, sort, includes }: IndexKeys, some: readonly Item[], matches: Matches): readonly Item[] {
    const indexKeys = [partition, ...(sort === undefined ? [] : [sort])];
    // Most queried partitions are empty, so that an early return saves the sort.
    const held = some.filter((item) => indexKeys.every((name) => name in item) && matches(item));
    if (held.length === 0) return held;
    const inOrder = held.length < 2 ? held : held.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    return sortedBy(sort, inOrder).map((item) => pick(item, [...keyNames, ...indexKeys, ...includes]));
  }

  function stale(): readonly Item[] {
    return [...items.keys()].map((key) => before.get(key)).filter((item) => item !== undefined);
  }

  return {
    keys,
    keyNames,
    keyOf,
    get: (key: Item): Item | undefined => items.get(keyOf(key)),
    /** The item as an eventually consistent read may return it. */
    getStale: (key: Item): Item | undefined => before.get(keyOf(key)),
    /** @throws ValidationException for a text that cannot be written in UTF-8 */
    put: (item: Item): void => {
      const key = keyOf(item);
      if (!Object.values(item).every(isUnicode)) throw validationError('A text has half a surrogate pair');
      before.set(key, items.get(key));
      items.set(key, item);
    },
    remove: (key: Item): void => void items.delete(keyOf(key)),
    /** The items in the order of their sort key, by default all. */
    all: (matches: Matches = () => true): readonly Item[] => sortedBy(keys.sort, [...items.values()].filter(matches)),
    /** The items of an index in its order. @param matches selects items by their key attributes */
    allOf: (index: IndexKeys, matches: Matches): readonly Item[] => heldBy(index, [...items.values()], matches),
    /** All items as eventually consistent reads may return them. */
    allStale: (): readonly Item[] => stale(),
    allOfStale: (index: IndexKeys, matches: Matches): readonly Item[] => heldBy(index, stale(), matches),
  };
}

/** The named attributes of an item. */
export function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

function isUnicode({ S = '', SS = [] }: AttributeValue): boolean {
  return S.isWellFormed() && SS.every((text) => text.isWellFormed());
}

function attributeOf(item: Item, name: string): AttributeValue {
  return item[name] ?? { NULL: true };
}

export function validationError(message: string): DynamoDBServiceException {
  return new DynamoDBServiceException({ name: 'ValidationException', $fault: 'client', message, $metadata: {} });
}
