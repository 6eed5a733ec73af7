import { describe, expect, it } from 'vitest';
import { checkInput } from '#shared/platform/client/check-input.ts';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { newNaturalPersonIdentification } from '#shared/platform/resources/natural-person-identification.ts';
import { errorOf, saidBy } from '#test/shared/platform/client/test-client.ts';
import { sampleIdentification } from './sample-persons.ts';

const valid = sampleIdentification;
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

// The other fields: test/spec/4-2-natural-person-identification.test.ts.
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
