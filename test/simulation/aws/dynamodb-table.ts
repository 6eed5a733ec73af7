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

/** The attributes of the key, in the form in which the SDK has them. */
export type Table = ReturnType<typeof createTable>;

type Matches = (item: Item) => boolean;

/** The items of a table, by their keys. */
export function createTable(keys: TableKeys) {
  const items = new Map<string, Item>();
  /** What each was before it was written last. */
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

  /** Items that are equal by the sort key of an index keep one order, so that a page can be followed by the next. */
  function heldBy({ partition, sort, includes }: IndexKeys, some: readonly Item[], matches: Matches): readonly Item[] {
    const indexKeys = [partition, ...(sort === undefined ? [] : [sort])];
    // Most partitions that are asked for are empty: so before anything is put in order.
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
    /** As a read that is not consistent may see it. */
    getStale: (key: Item): Item | undefined => before.get(keyOf(key)),
    /** @throws ValidationException for a text that cannot be written in UTF-8 */
    put: (item: Item): void => {
      const key = keyOf(item);
      if (!Object.values(item).every(isUnicode)) throw validationError('A text has half a surrogate pair');
      before.set(key, items.get(key));
      items.set(key, item);
    },
    remove: (key: Item): void => void items.delete(keyOf(key)),
    /** All, in the order of their sort key. */
    all: (): readonly Item[] => sortedBy(keys.sort, [...items.values()]),
    /** What an index holds, in its order. @param matches tells by the attributes of its key what is wanted of it */
    allOf: (index: IndexKeys, matches: Matches): readonly Item[] => heldBy(index, [...items.values()], matches),
    /** As reads that are not consistent may see all. */
    allStale: (): readonly Item[] => stale(),
    allOfStale: (index: IndexKeys, matches: Matches): readonly Item[] => heldBy(index, stale(), matches),
  };
}

/** Some of the attributes of an item. */
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
