import { beforeEach, describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import type { NaturalPersonUpdateData } from '#shared/platform/resources/natural-person-schema.ts';
import { getNaturalPerson, updateNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { useContract } from './contract.ts';
import { makePerson, personPath } from './persons.ts';
import { refused } from './refused.ts';

const contract = useContract();
const documentId = '3d813cbb-47fb-42ba-91df-831e1593ac29';

let id: string;
beforeEach(async () => {
  id = await makePerson(contract());
});

const update = (naturalPersonUpdateData: NaturalPersonUpdateData, rest: { readonly documentId?: string } = {}) =>
  updateNaturalPerson(contract().client, id, id, { naturalPersonUpdateData, ...rest });
const updateAnyway = (body: unknown) =>
  contract().call('PATCH', personPath(id), { body, headers: { 'requestor-id': id } });

describe('4.1 naturalPersonUpdateData: the listed fields, and no others', () => {
  const all: NaturalPersonUpdateData = {
    annualIncomeNet: 1,
    sourceOfIncome: ['INCOME_FROM_EMPLOYMENT'],
    availableAssets: 2,
    originOfAssets: ['NON_EMPLOYED_LABOR'],
    contact: { phone: '+49 30 1' },
    mainAddress: { city: 'Bonn' },
    correspondenceAddress: { city: 'Bonn' },
    maritalStatus: 'MARRIED',
    profession: 'Engineer',
    professionGroup: 'EMPLOYED',
    naceSectors: [{ section: 'K' }],
    taxDetails: [{ taxResidency: 'DE' }],
    nationalities: [{ countryCode: 'DE' }],
    externalId: 'new',
  };

  it('changes each of the listed fields', async () => {
    await update(all);
    await contract().advance(10);
    expect(await getNaturalPerson(contract().client, id)).toMatchObject(all);
  });

  it.each([
    'firstName',
    'birthDay',
    'birthPlace',
    'birthCountry',
    'gender',
    'language',
    'isUsNationality',
    'naturalPersonStatus',
    'riskLevel',
  ])('does not change the field %s', async (field) => {
    const data = { [field]: 'x' };
    await expect(update(data)).rejects.toBeInstanceOf(PlatformInputError);
    expect(await updateAnyway({ naturalPersonUpdateData: data })).toEqual(
      refused(400, `naturalPersonUpdateData.${field}`),
    );
  });

  it('refuses an update without naturalPersonUpdateData', async () => {
    expect(await updateAnyway({})).toEqual(refused(400, 'naturalPersonUpdateData'));
  });
});

describe('4.1 documentId + 2.4 title + 2.4 lastName + 2.4 deathDay: a change needs a document', () => {
  it.each([
    ['title', { title: 'PROFESSOR' }],
    ['lastName', { lastName: 'Musterfrau' }],
    ['deathDay', { deathDay: '2026-11-01' }],
    ['title, lastName', { title: 'PROFESSOR', lastName: 'Musterfrau', profession: 'x' }],
  ])('requires a documentId for %s', async (fields, data) => {
    await expect(update(data)).rejects.toThrow(`documentId: must be given with ${fields} (section 4.1)`);
    expect(await updateAnyway({ naturalPersonUpdateData: data })).toEqual(refused(400, 'documentId'));
    await update(data, { documentId });
    await contract().advance(10);
    expect(await getNaturalPerson(contract().client, id)).toMatchObject(data);
  });

  it('refuses a documentId that is no UUID', async () => {
    await expect(update({ title: 'PROFESSOR' }, { documentId: 'one' })).rejects.toThrow(/documentId: must be a UUID/);
    const body = { naturalPersonUpdateData: { title: 'PROFESSOR' }, documentId: '1' };
    expect(await updateAnyway(body)).toEqual(refused(400, 'documentId'));
  });
});
