import { describe, expect, it } from 'vitest';
import { checkInput } from '#shared/platform/client/check-input.ts';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { newNaturalPersonIdentification } from '#shared/platform/resources/natural-person-identification.ts';
import { errorOf, saidBy } from '#test/shared/platform/client/test-client.ts';
import { sampleIdentification } from './sample-persons.ts';

const valid = sampleIdentification;
const parents = {
  documentMotherFullName: 'Maria Mustermann',
  documentMotherResidenceCity: 'Berlin',
  documentFatherFullName: 'Max Mustermann',
  documentFatherResidenceCity: 'Köln',
};
const birthCertificate = { ...valid, ...parents, identificationDocumentType: 'BIRTH_CERTIFICATE' };

function check(identification: unknown, today = '2026-01-02T12:00:00Z', dayZone: string | undefined = 'UTC') {
  const schema = newNaturalPersonIdentification(new Date(today), {
    sentFields: { hasCapitalEnums: true },
    times: { dayZone },
  });
  return checkInput(schema, identification, { operation: 'Create natural person identification', section: '4.2' });
}

async function problems(identification: unknown, today?: string): Promise<readonly string[]> {
  const error = await errorOf(PlatformInputError, async () => check(identification, today));
  expect(saidBy(error)).not.toMatch(/Mustermann|T22000129/);
  return error.problems;
}

describe('section 4.2: identificationDate is within the last 24 months', () => {
  it.each([
    ['2026-01-02T00:00:00.000Z', '2024-01-02'],
    ['2026-01-02T23:59:59.999Z', '2024-01-02'],
    ['2026-01-02T12:00:00Z', '2026-01-02'],
    ['2028-02-29T12:00:00Z', '2026-02-28'],
    ['2028-02-28T12:00:00Z', '2026-02-28'],
    ['2026-02-28T12:00:00Z', '2024-02-28'],
    ['2026-02-28T12:00:00Z', '2024-02-29'],
    ['2026-03-01T12:00:00Z', '2024-03-01'],
    ['2026-12-31T12:00:00Z', '2024-12-31'],
  ])('accepts on %s the identificationDate %s', (today, identificationDate) => {
    expect(check({ ...valid, identificationDate }, today)).toMatchObject({ identificationDate });
  });

  it.each([
    ['2026-01-02T00:00:00.000Z', '2024-01-01'],
    ['2026-01-02T23:59:59.999Z', '2026-01-03'],
    ['2026-01-02T12:00:00Z', '1990-01-01'],
    ['2028-02-29T12:00:00Z', '2026-02-27'],
    ['2028-03-01T12:00:00Z', '2026-02-28'],
    ['2026-03-01T12:00:00Z', '2024-02-29'],
  ])('refuses on %s the identificationDate %s', async (today, identificationDate) => {
    expect(await problems({ ...valid, identificationDate }, today)).toEqual([
      'identificationDate: must be within the last 24 months (section 4.2)',
    ]);
  });
});

describe('section 4.2: the fields of the parents', () => {
  it('accepts the fields of the parents with BIRTH_CERTIFICATE', () => {
    expect(check(birthCertificate)).toEqual(birthCertificate);
  });

  it.each(Object.keys(parents))('requires %s with BIRTH_CERTIFICATE', async (field) => {
    expect(await problems({ ...birthCertificate, [field]: undefined })).toEqual([
      `${field}: must be given with BIRTH_CERTIFICATE (section 4.2)`,
    ]);
  });

  it.each(Object.entries(parents))('takes %s with any document', (field, value) => {
    for (const identificationDocumentType of ['ID', 'PASSPORT'])
      expect(check({ ...valid, identificationDocumentType, [field]: value })).toMatchObject({ [field]: value });
  });
});

describe('section 4.2: the fields', () => {
  it('accepts every field of the section', () => {
    expect(check(valid)).toEqual(valid);
  });

  it.each(Object.keys(valid))('requires the field %s', async (field) => {
    expect(await problems({ ...valid, [field]: undefined })).toEqual([
      expect.stringMatching(`^${field}: .*\\(section`),
    ]);
  });

  it.each([
    ['documentCountry', 'UK'],
    ['documentIssueDate', '2020-02-30'],
    ['documentExpiryDate', 'Mustermann'],
    ['identificationDocumentType', 'passport'],
    ['documentNumber', ''],
  ])('refuses in the field %s the value %j', async (field, value) => {
    expect(await problems({ ...valid, [field]: value })).toEqual([expect.stringMatching(`^${field}: must`)]);
  });

  it('refuses a field that the section does not name', async () => {
    expect(await problems({ ...valid, identificationId: 'x' })).toEqual([
      'identificationId: cannot be written (section 4.2)',
    ]);
  });
});
