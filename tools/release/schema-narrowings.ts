import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

const json = z.record(z.string(), z.unknown());

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema, and the document that its references lead into. */
export type SchemaIn = { readonly schema: unknown; readonly document: unknown };

/** What a narrowing breaks: a client that sends what was accepted, or a client that reads what was answered. */
export type Direction = 'request' | 'answer';

/** They say nothing of what a value may be. */
const annotations = [
  '$schema',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'discriminator',
];

/** By keyword, whether `to` refuses what `from` accepts. */
const limits: Readonly<Record<string, (from: unknown, to: unknown) => boolean>> = {
  ...Object.fromEntries(
    ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'].map((keyword) => [
      keyword,
      (from, to) => !(Number(from) >= Number(to)),
    ]),
  ),
  ...Object.fromEntries(
    ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'].map((keyword) => [
      keyword,
      (from, to) => !(Number(from) <= Number(to)),
    ]),
  ),
  pattern: (from, to) => from !== to,
  format: (from, to) => from !== to,
};

const structure = [
  '$ref',
  'type',
  'const',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'oneOf',
  'anyOf',
];

/**
 * Says what `from` accepts and `to` refuses; nothing if all that `from` accepts stays accepted.
 *
 * @param at where the schemas are, for the reader
 * @throws when a schema has a keyword that the comparison does not know: extend the comparison
 */
export function narrowings(from: SchemaIn, to: SchemaIn, direction: Direction, at = '#'): readonly string[] {
  const [before, after] = [resolve(from), resolve(to)];
  const [branchesBefore, branchesAfter] = [branchesOf(before), branchesOf(after)];
  if (branchesBefore.length > 0 || branchesAfter.length > 0) {
    const [all, allowed] = [orItself(branchesBefore, before), orItself(branchesAfter, after)];
    return all.flatMap((branch) => {
      const tried = allowed.map((one) =>
        narrowings({ ...from, schema: branch }, { ...to, schema: one }, direction, at),
      );
      return tried.some((found) => found.length === 0)
        ? []
        : (tried.toSorted((one, other) => one.length - other.length)[0] ?? []);
    });
  }
  return [
    ...typeNarrowings(before, after, at),
    ...valueNarrowings(before, after, at),
    ...limitNarrowings(before, after, at),
    ...memberNarrowings({ ...from, schema: before }, { ...to, schema: after }, direction, at),
    ...(after['items'] === undefined
      ? []
      : narrowings(
          { ...from, schema: before['items'] ?? {} },
          { ...to, schema: after['items'] },
          direction,
          `${at}/*`,
        )),
  ];
}

function resolve({ schema, document }: SchemaIn): JsonSchema {
  const parsed = schema === true ? {} : json.parse(schema);
  const unknown = Object.keys(parsed).find(
    (key) => ![...annotations, ...structure].includes(key) && !Object.hasOwn(limits, key),
  );
  if (unknown !== undefined) throw new Error(`The comparison of schemas does not know ${unknown}.`);
  const { $ref } = parsed;
  if (typeof $ref !== 'string') return parsed;
  const target = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => json.parse(value)[name], document);
  return resolve({ schema: target, document });
}

function branchesOf({ oneOf, anyOf }: JsonSchema): readonly unknown[] {
  return z.array(z.unknown()).parse(oneOf ?? anyOf ?? []);
}

function orItself(branches: readonly unknown[], schema: JsonSchema): readonly unknown[] {
  return branches.length > 0 ? branches : [schema];
}

function typesOf({ type }: JsonSchema): readonly string[] {
  const types = z.array(z.string()).parse(type === undefined ? [] : [type].flat());
  return types.includes('number') ? [...types, 'integer'] : types;
}

function typeNarrowings(from: JsonSchema, to: JsonSchema, at: string): readonly string[] {
  const [before, after] = [typesOf(from), typesOf(to)];
  const isNarrower = after.length > 0 && (before.length === 0 || before.some((type) => !after.includes(type)));
  return isNarrower ? [`${at}: the type ${before.join(' or ') || 'any'} became ${after.join(' or ')}`] : [];
}

function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  return 'const' in schema ? [schema['const']] : z.array(z.unknown()).optional().parse(schema['enum']);
}

function valueNarrowings(from: JsonSchema, to: JsonSchema, at: string): readonly string[] {
  const [before, after] = [valuesOf(from), valuesOf(to)];
  if (after === undefined) return [];
  if (before === undefined) return [`${at}: any value became ${JSON.stringify(after)}`];
  const lost = before.filter((value) => !after.some((one) => isDeepStrictEqual(one, value)));
  return lost.map((value) => `${at}: the value ${JSON.stringify(value)} is not allowed`);
}

function limitNarrowings(from: JsonSchema, to: JsonSchema, at: string): readonly string[] {
  return Object.entries(limits)
    .filter(([keyword, isNarrower]) => to[keyword] !== undefined && isNarrower(from[keyword], to[keyword]))
    .map(([keyword]) => `${at}: ${keyword} ${String(from[keyword] ?? 'none')} became ${String(to[keyword])}`);
}

function memberNarrowings(from: SchemaIn, to: SchemaIn, direction: Direction, at: string): readonly string[] {
  const [before, after] = [json.parse(from.schema), json.parse(to.schema)];
  const members = (schema: JsonSchema) => json.parse(schema['properties'] ?? {});
  const [membersBefore, membersAfter] = [members(before), members(after)];
  const required = (schema: JsonSchema) => z.array(z.string()).parse(schema['required'] ?? []);
  const newlyRequired = required(after).filter((name) => !required(before).includes(name));
  const isClosed = after['additionalProperties'] === false;
  const lost = Object.keys(membersBefore).filter((name) => isClosed && !(name in membersAfter));
  const gone = Object.keys(membersAfter).filter((name) => direction === 'answer' && !(name in membersBefore));
  const isNewlyClosed = isClosed && typesOf(before).includes('object') && before['additionalProperties'] !== false;
  return [
    ...newlyRequired.map((name) => `${at}/${name}: ${direction === 'request' ? 'is required' : 'can be absent'}`),
    ...lost.map((name) => `${at}/${name}: is not allowed`),
    ...gone.filter((name) => !newlyRequired.includes(name)).map((name) => `${at}/${name}: is gone`),
    ...(isNewlyClosed && lost.length === 0 ? [`${at}: further members are not allowed`] : []),
    ...Object.entries(membersBefore)
      .filter(([name]) => name in membersAfter)
      .flatMap(([name, schema]) =>
        narrowings({ ...from, schema }, { ...to, schema: membersAfter[name] }, direction, `${at}/${name}`),
      ),
  ];
}
