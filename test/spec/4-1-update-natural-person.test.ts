import { beforeEach, describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import type { NaturalPersonUpdateData } from '#shared/platform/resources/natural-person-schema.ts';
import { getNaturalPerson, updateNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { registerPartner, useContract } from './contract.ts';
import { makePerson, personPath } from './persons.ts';
import { httpError, refused } from './refused.ts';

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
  it.each<NaturalPersonUpdateData>([
    { annualIncomeNet: 1 },
    { sourceOfIncome: ['INCOME_FROM_EMPLOYMENT'] },
    { availableAssets: 2 },
    { originOfAssets: ['NON_EMPLOYED_LABOR'] },
    { contact: { phone: '+49 30 1' } },
    { mainAddress: { city: 'Bonn' } },
    { correspondenceAddress: { city: 'Bonn' } },
    { maritalStatus: 'MARRIED' },
    { profession: 'Engineer' },
    { professionGroup: 'EMPLOYED' },
    { naceSectors: [{ section: 'K' }] },
    { taxDetails: [{ taxResidency: 'DE' }] },
    { nationalities: [{ countryCode: 'DE' }] },
    { externalId: 'new' },
  ])('changes the fields of %o', async (data) => {
    await update(data);
    await contract().advance(10);
    expect(await getNaturalPerson(contract().client, id)).toMatchObject(data);
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

  it('keeps the fields that the update does not name', async () => {
    const before = await getNaturalPerson(contract().client, id);
    await update({ profession: 'Engineer' });
    await contract().advance(10);
    const after = await getNaturalPerson(contract().client, id);
    expect({ ...after, profession: before.profession, modifiedOn: before.modifiedOn }).toEqual(before);
  });

  it('refuses an update without naturalPersonUpdateData', async () => {
    expect(await updateAnyway({})).toEqual(refused(400, 'naturalPersonUpdateData'));
  });

  it('notifies the person as UPDATED', async () => {
    await registerPartner(contract(), 'NATURAL_PERSON_NOTIFICATION');
    await update({ profession: 'Engineer' });
    await contract().advance(10);
    expect(contract().partner.received.map(({ body }) => body)).toMatchObject([
      { naturalPersonId: id, notificationType: 'UPDATED' },
    ]);
  });

  it('refuses the externalId of another person', async () => {
    const other = await makePerson(contract());
    const { externalId } = await getNaturalPerson(contract().client, other);
    await update({ externalId: 'mine' });
    await contract().advance(10);
    await expect(
      updateNaturalPerson(contract().client, other, other, { naturalPersonUpdateData: { externalId: 'mine' } }),
    ).rejects.toEqual(httpError(400));
    expect((await getNaturalPerson(contract().client, other)).externalId).toBe(externalId);
  });
});

describe('4.1 documentId + 2.4 title + 2.4 lastName + 2.4 deathDay: a change needs a document', () => {
  it.each([{ title: 'PROFESSOR' }, { lastName: 'Musterfrau' }, { deathDay: '2026-11-01' }])(
    'requires a documentId for %o',
    async (data) => {
      await expect(update(data)).rejects.toThrow(/documentId: .*section 4\.1/);
      expect(await updateAnyway({ naturalPersonUpdateData: data })).toEqual(refused(400, 'documentId'));
      await update(data, { documentId });
      await contract().advance(10);
      expect(await getNaturalPerson(contract().client, id)).toMatchObject(data);
    },
  );

  it('refuses a documentId that is no UUID', async () => {
    await expect(update({ title: 'PROFESSOR' }, { documentId: 'one' })).rejects.toThrow(/documentId: must be a UUID/);
    const body = { naturalPersonUpdateData: { title: 'PROFESSOR' }, documentId: '1' };
    expect(await updateAnyway(body)).toEqual(refused(400, 'documentId'));
  });
});
