import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formOf, forms, sampleOf } from '#cli/platform/recording/forms.ts';
import { wordsOfWebhook } from '#cli/platform/recording/kept-words.ts';
import { listedNames } from '#cli/platform/recording/readers.ts';
import { shapeOf, wordsOfTexts } from '#cli/platform/recording/shape.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const profile = platformProfile.parse({});
const names = listedNames(profile);

function record(bodies: readonly unknown[]) {
  const texts = wordsOfTexts(bodies);
  const named = { isListed: (name: string) => names.has(name), isInTexts: (word: string) => texts.has(word) };
  return shapeOf(bodies, wordsOfWebhook('NATURAL_PERSON_NOTIFICATION', profile), named);
}

/** Texts that are longer than any word, and names as the keys of a map have them. */
const secret = fc.string({ minLength: 65, maxLength: 80, unit: 'grapheme' });
const name = fc.oneof(
  fc.constantFrom('status', 'validationError', 'errorCode', 'naturalPerson', 'firstName', 'anything'),
  secret,
  fc.uuid(),
);
const { body } = fc.letrec<{ body: unknown }>((tie) => ({
  body: fc.oneof(
    { depthSize: 'small' },
    secret,
    fc.constant(null),
    fc.integer(),
    fc.array(tie('body'), { maxLength: 4 }),
    fc.dictionary(name, tie('body'), { maxKeys: 5 }),
  ),
}));

const someBodies: fc.Arbitrary<readonly unknown[]> = fc.array(body, { maxLength: 3 });

describe('cli platform record: formOf', () => {
  it.each(forms)('recognizes its sample of %s', (form) => {
    expect(formOf(sampleOf(form))).toBe(form);
  });
});

describe('cli platform record: shapeOf', () => {
  it('keeps no text of a body with more than 64 characters, and no name that may be data', () => {
    fc.assert(
      fc.property(someBodies, (bodies) => {
        const kept = JSON.stringify(record(bodies));
        for (const text of secretsIn(bodies)) expect(kept).not.toContain(JSON.stringify(text).slice(1, -1));
      }),
    );
  });

  it('keeps words in capitals of statuses and codes alone', () => {
    const body = {
      status: { code: 'ACTIVE', changedBy: 'MUSTERMANN' },
      maritalStatus: 'WIDOWED',
      validationError: { errorType: 'ADDRESS_INVALID', description: 'BERLIN' },
      nationalities: [{ code: 'FR' }],
    };
    const kept = JSON.stringify(record([body]));
    for (const word of ['ACTIVE', 'ADDRESS_INVALID']) expect(kept).toContain(word);
    for (const value of ['MUSTERMANN', 'WIDOWED', 'BERLIN', 'FR"']) expect(kept).not.toContain(value);
  });

  it('counts names that may be data: of a map, and those that are a value elsewhere', () => {
    const body = { owners: { Erika: 1, erika: 2, 'x-1': 3 }, lastName: 'Erika M.' };
    expect(record([body]).fields?.['owners']).toEqual({
      forms: { object: 1 },
      otherNames: 3,
      others: { forms: { 'whole number': 3 } },
    });
  });

  it('counts how often a field is absent or null over all members of a list', () => {
    const { items } = record([[{ city: 'A' }, { city: null }], [{}]]);
    expect(items?.fields?.['city']).toEqual({ forms: { null: 1, 'word in capitals': 1 }, absent: 1 });
  });
});

/** The texts, and the names of fields, that are long or a UUID. */
function secretsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length > 64 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  const ofNames = Array.isArray(value) ? [] : Object.keys(value).filter((name) => name.length > 30);
  return [...ofNames, ...Object.values(value).flatMap(secretsIn)];
}
