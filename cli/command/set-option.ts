import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { parseJson } from '#shared/parse-json.ts';

/** A field of a request, below the fields in front of it, and its value. */
export type SetField = { readonly path: readonly string[]; readonly value: unknown };

export const setFields = z.array(z.custom<SetField>());

/** What the help says about an option with {@link setField}. */
export const setHelp =
  'a field and its value, which is text or JSON (quote digits that are text: \'zip="10115"\'); can be repeated';

/** Parses one `--set`. A value that is JSON counts as JSON, any other as text. @throws {InvalidArgumentError} */
export function setField(text: string, others: readonly SetField[]): readonly SetField[] {
  const [, path, value] = /^([A-Za-z]\w*(?:\.[A-Za-z]\w*)*)=(.*)$/s.exec(text) ?? [];
  if (path === undefined || value === undefined)
    throw new InvalidArgumentError('The value must be a field and a value, such as person.firstName=Erika.');
  const parsed = value === '' ? undefined : parseJson(value);
  return [...others, { path: path.split('.'), value: parsed === undefined ? value : parsed }];
}

const jsonObject = z.record(z.string(), z.unknown()).catch({});

/** An object with these fields replaced or added. */
export function withFields(object: unknown, fields: readonly SetField[]): Readonly<Record<string, unknown>> {
  return fields.reduce((changed, { path, value }) => withField(changed, path, value), jsonObject.parse(object));
}

function withField(object: unknown, [name = '', ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  const fields = jsonObject.parse(object);
  return { ...fields, [name]: rest.length === 0 ? value : withField(fields[name], rest, value) };
}
