import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { ReleaseResource, ReleaseTemplate } from './release-templates.ts';

const keySchema = z._default(z.array(z.looseObject({ AttributeName: z.string() })), []);

const tableProperties = z.looseObject({
  KeySchema: keySchema,
  AttributeDefinitions: z._default(z.array(z.object({ AttributeName: z.string(), AttributeType: z.string() })), []),
  GlobalSecondaryIndexes: z._default(z.array(z.looseObject({ IndexName: z.string(), KeySchema: keySchema })), []),
});

type TableProperties = z.infer<typeof tableProperties>;
type Index = TableProperties['GlobalSecondaryIndexes'][number];

/** Tables whose keys have another type: DynamoDB would replace the table, or the index. */
export function retypedKeys(before: ReleaseTemplate, after: ReleaseTemplate): readonly string[] {
  return commonTables(before, after).flatMap(([id, old, now]) => {
    const kept = [old, ...[...indexesOf(old).values()].filter(({ IndexName }) => indexesOf(now).has(IndexName))];
    const names = new Set(kept.flatMap(({ KeySchema }) => KeySchema.map(({ AttributeName }) => AttributeName)));
    return [...names].flatMap((name) => {
      const [type, newType] = [typeOf(name, old), typeOf(name, now)];
      // An attribute without a type is a key no longer, which other rules find.
      if (newType === undefined || type === newType) return [];
      return [`Key ${name} of ${id} is of type ${newType}, and was ${type}: add an attribute of another name.`];
    });
  });
}

/** Indexes that are edited in place, which DynamoDB refuses. */
export function editedIndexes(before: ReleaseTemplate, after: ReleaseTemplate): readonly string[] {
  return commonTables(before, after).flatMap(([id, old, now]) =>
    [...indexesOf(old)]
      .filter(([name, index]) => indexesOf(now).has(name) && !isDeepStrictEqual(index, indexesOf(now).get(name)))
      .map(([name]) => `Index ${name} of ${id} is edited: add an index of another name, and remove this one later.`),
  );
}

/** Tables with several new or deleted indexes: DynamoDB changes one of a table in one update of a stack. */
export function crowdedIndexChanges(before: ReleaseTemplate, after: ReleaseTemplate): readonly string[] {
  return commonTables(before, after).flatMap(([id, old, now]) => {
    const [olds, nows] = [indexesOf(old), indexesOf(now)];
    const moved = [
      ...[...olds.keys()].filter((name) => !nows.has(name)),
      ...[...nows.keys()].filter((name) => !olds.has(name)),
    ];
    return moved.length > 1
      ? [`Indexes ${moved.join(', ')} of ${id} are created or deleted: change one in each minor release.`]
      : [];
  });
}

function commonTables(before: ReleaseTemplate, after: ReleaseTemplate) {
  const isTable = (resource: ReleaseResource | undefined) => resource?.Type === 'AWS::DynamoDB::Table';
  const read = (resource: ReleaseResource | undefined) => tableProperties.parse(resource?.Properties ?? {});
  return Object.entries(before.Resources)
    .filter(([id, resource]) => isTable(resource) && isTable(after.Resources[id]))
    .map(([id, resource]) => [id, read(resource), read(after.Resources[id])] as const);
}

function indexesOf({ GlobalSecondaryIndexes }: TableProperties): ReadonlyMap<string, Index> {
  return new Map(GlobalSecondaryIndexes.map((index) => [index.IndexName, index]));
}

function typeOf(name: string, { AttributeDefinitions }: TableProperties): string | undefined {
  return AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
}
