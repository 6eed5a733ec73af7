import { inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';

/** What DynamoDB keeps a whole number as. */
export const wholeNumber = z.pipe(
  z.pipe(
    z.object({ N: z.string() }),
    z.transform(({ N }) => Number(N)),
  ),
  z.int(),
);

/** Above what an item of 400 KiB could hold of text. */
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
