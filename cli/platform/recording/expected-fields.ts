import * as z from 'zod';

type Schema = z.core.$ZodType;

/** The fields that a schema of an object lists. Empty for any other. */
export function fieldsOf(schema: Schema | undefined): ReadonlyMap<string, Schema> {
  const object = find(schema, (one) => one instanceof z.core.$ZodObject);
  return new Map(object instanceof z.core.$ZodObject ? Object.entries(object._zod.def.shape) : []);
}

/** The schema of the members of an array; undefined if the schema is of none. */
export function memberOf(schema: Schema | undefined): Schema | undefined {
  const array = find(schema, (one) => one instanceof z.core.$ZodArray);
  return array instanceof z.core.$ZodArray ? array._zod.def.element : undefined;
}

/** The schema that this one consists of, beside what makes it lenient and what turns its values. */
function find(schema: Schema | undefined, isWanted: (schema: Schema) => boolean): Schema | undefined {
  if (schema === undefined || isWanted(schema)) return schema;
  for (const inner of innerOf(schema)) {
    const found = find(inner, isWanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

function innerOf(schema: Schema): readonly Schema[] {
  if (schema instanceof z.core.$ZodPipe) return [schema._zod.def.in, schema._zod.def.out];
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options;
  const isWrapped =
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodCatch;
  return isWrapped ? [schema._zod.def.innerType] : [];
}
