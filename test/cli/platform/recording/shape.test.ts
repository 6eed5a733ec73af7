import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameFields } from '#cli/platform/recording/field-names.ts';
import { formOf, forms, sampleOf } from '#cli/platform/recording/forms.ts';
import { wordsOfWebhook } from '#cli/platform/recording/kept-words.ts';
import { knownWords, listedNames } from '#cli/platform/recording/readers.ts';
import { shapeOf } from '#cli/platform/recording/shape.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const profile = platformProfile.parse({});
const names = listedNames(profile);

function record(bodies: readonly unknown[]) {
  return shapeOf(
    bodies,
    wordsOfWebhook('NATURAL_PERSON_NOTIFICATION', profile),
    nameFields(names, knownWords(profile), bodies),
  );
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

  it('keeps words in capitals of statuses and codes only', () => {
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

  it.each<readonly [string, object, number]>([
    ['of a map of values of several forms', { owners: { erika: 1, mueller: { share: 2 } } }, 2],
    [
      'in camel case that a text has as words',
      { owners: { erikaMustermann: 1, name: 'x' }, firstName: 'Erika', lastName: 'Mustermann' },
      1,
    ],
    ['of which a text has one word', { owners: { accountOfErika: 1, name: 'x' }, firstName: 'Erika' }, 1],
    ['that a text writes as two letters', { owners: { muller: 1, name: 'x' }, lastName: 'Mueller' }, 1],
  ])('counts names %s', (_, body, otherNames) => {
    expect(record([body]).fields?.['owners']?.otherNames).toBe(otherNames);
  });

  it('keeps unlisted names of a body, and of an object within it that are like listed ones', () => {
    const body = { loyalty: 1, loan: { loanId: 7, loanTier: 'OPEN', mueller: true }, message: 'A person is missing.' };
    const { fields } = record([body]);
    expect(Object.keys(fields ?? {})).toEqual(['loan', 'loyalty', 'message']);
    expect(Object.keys(fields?.['loan']?.fields ?? {})).toEqual(['loanId']);
  });

  it.each<readonly [string, unknown, readonly string[] | undefined]>([
    ['a text', 'FROZEN', ['FROZEN']],
    ['the code of an object', { code: 'FROZEN', name: 'MUSTERMANN' }, ['FROZEN']],
    ['no unknown name of an object', { name: 'MUSTERMANN', label: 'ERIKA' }, undefined],
    ['no unknown text with a space', 'ERIKA MUSTERMANN', undefined],
  ])('takes the word of a status from the right place: %s', (_, status, words) => {
    const kept = record([{ status }]).fields?.['status']?.words;
    expect(kept && Object.keys(kept)).toEqual(words);
  });
});

/** The texts, and the names of fields, that are long or a UUID. */
function secretsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length > 64 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  const ofNames = Array.isArray(value) ? [] : Object.keys(value).filter((name) => name.length > 30);
  return [...ofNames, ...Object.values(value).flatMap(secretsIn)];
}
