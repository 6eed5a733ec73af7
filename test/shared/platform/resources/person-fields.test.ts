import { expect, it } from 'vitest';
import type * as z from 'zod';
import * as sandbox from '#sandbox/platform/persons/natural-person-schema.ts';
import { additionalFields } from '#shared/platform/profile/additional-fields.ts';
import { naturalPerson } from '#shared/platform/resources/natural-person.ts';
import { naturalPersonBodies } from '#shared/platform/resources/natural-person-schema.ts';
import { rules } from '#test/spec/rules.ts';

const bodies = naturalPersonBodies({ additionalFields: additionalFields.parse({}), sentFields: {} });

/** The fields of an object, and those of the objects in it: `contact.phone`. A field that may be left out ends with `?`. */
function fieldsOf(schema: z.core.$ZodType, path: readonly string[] = [], isOptional = false): readonly string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return fieldsOf(def.innerType, path, true);
  if (def.type === 'nullable' || def.type === 'catch') return fieldsOf(def.innerType, path, isOptional);
  // What is read otherwise than it was written: as the schema that names its fields.
  if (def.type === 'pipe') return fieldsOf(isTransform(def.out) ? def.in : def.out, path, isOptional);
  const own = path.length === 0 ? [] : [`${path.join('.')}${isOptional ? '?' : ''}`];
  if (def.type === 'array') return [...own, ...fieldsOf(def.element, [...path, '[]'], true).slice(1)];
  if (def.type !== 'object') return own;
  return [...own, ...Object.entries(def.shape).flatMap(([name, field]) => fieldsOf(field, [...path, name]))];
}

function isTransform(schema: z.core.$ZodType): boolean {
  return (schema as z.core.$ZodTypes)._zod.def.type === 'transform';
}

/** The fields that only one of the two schemas has, as a failing test shall show them. */
function differencesOf(client: z.core.$ZodType, sandboxPlatform: z.core.$ZodType, mark = '?'): readonly string[] {
  const namesOf = (schema: z.core.$ZodType) => new Set(fieldsOf(schema).map((field) => field.replace('?', mark)));
  const [ofClient, ofSandbox] = [namesOf(client), namesOf(sandboxPlatform)];
  return [
    ...[...ofClient.difference(ofSandbox)].map((field) => `${field} only in the client`),
    ...[...ofSandbox.difference(ofClient)].map((field) => `${field} only in the sandbox`),
  ];
}

it.each([
  ['Create natural person (section 2.4)', bodies.newNaturalPerson, sandbox.newNaturalPerson],
  ['Update natural person (section 4.1)', bodies.naturalPersonUpdate, sandbox.naturalPersonUpdate],
] as const)('takes the same fields in the client and the sandbox platform: %s', (_, client, platform) => {
  expect(differencesOf(client, platform)).toEqual([]);
});

it('reads in the client each field of a person that the sandbox platform returns, and no other', () => {
  // Any field of an answer may be missing: the marks differ.
  expect(differencesOf(naturalPerson({}), sandbox.naturalPerson, '')).toEqual([]);
});

it('has a rule of section 2.4 in test/spec/rules.ts for each field of a person', () => {
  const withRule = new Set(Object.keys(rules).flatMap((rule) => rule.replace('2.4 ', '').split(', ')));
  expect(Object.keys(sandbox.naturalPerson.shape).filter((field) => !withRule.has(field))).toEqual([]);
});
