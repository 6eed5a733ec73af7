import { describe, expect, it } from 'vitest';
import { createNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import { listNaturalPersons } from '#shared/platform/resources/list-natural-persons.ts';
import { getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { recentIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { registerPartner, unknownId, useContract } from './contract.ts';
import { createPerson, makePerson, personPath } from './persons.ts';
import { httpError } from './refused.ts';

const contract = useContract();

const path = '/entities/natural-persons';
const statusOf = async (id: string) => (await getNaturalPerson(contract().client, id)).naturalPersonStatus;

describe('4 Create natural person: without Requestor-ID; the id is returned', () => {
  it('answers only the id, before the checks', async () => {
    const answer = await contract().call('POST', path, { body: samplePerson });
    expect(answer).toMatchObject({ status: 200, body: { naturalPersonId: expect.any(String) } });
    const { naturalPersonId } = answer.body as { naturalPersonId: string };
    expect(answer.body).toEqual({ naturalPersonId });
    expect(await statusOf(naturalPersonId)).toBe('RECEIVED');
  });
});

describe('4 Get natural persons: by cursor, limit and status, without Requestor-ID', () => {
  it('lists each person once across the pages', async () => {
    for (let number = 1; number <= 5; number += 1) await makePerson(contract());
    const { client } = contract();
    const pages = await Array.fromAsync(listNaturalPersons(client, { limit: 2 }).pages());
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
    expect(new Set(pages.flatMap(({ items }) => items.map((one) => one.naturalPersonId))).size).toBe(5);
  });

  it('filters the list by status', async () => {
    const active = await makePerson(contract());
    await makePerson(contract(), 'SUSPENDED');
    const listed = await Array.fromAsync(listNaturalPersons(contract().client, { naturalPersonStatus: 'ACTIVE' }));
    expect(listed.map((one) => one.naturalPersonId)).toEqual([active]);
  });
});

describe('4 Get natural person: without Requestor-ID', () => {
  it('answers Not Found to an unknown id', async () => {
    await expect(getNaturalPerson(contract().client, unknownId)).rejects.toEqual(
      httpError(404, { condition: 'NOT_FOUND' }),
    );
  });
});

describe('4 Update natural person: with Requestor-ID; Accepted with no content', () => {
  const naturalPersonUpdateData = { profession: 'Engineer', contact: { phone: '112' } };

  it('answers 202 without a body, and updates and notifies the person later', async () => {
    const { client, partner } = contract();
    await registerPartner(contract(), 'NATURAL_PERSON_NOTIFICATION');
    const id = await makePerson(contract());
    const before = await getNaturalPerson(client, id);
    const options = { body: { naturalPersonUpdateData }, headers: { 'requestor-id': id } };
    expect(await contract().call('PATCH', personPath(id), options)).toMatchObject({ status: 202, body: '' });
    expect(await getNaturalPerson(client, id)).toEqual(before);
    await contract().advance(10);
    const { modifiedOn, ...updated } = await getNaturalPerson(client, id);
    expect({ ...updated, modifiedOn: before.modifiedOn }).toEqual({ ...before, ...naturalPersonUpdateData });
    const notification = { naturalPersonId: id, status: 'ACTIVE', modifiedOn, notificationType: 'UPDATED' };
    expect(partner.received.at(-1)?.body).toMatchObject(notification);
  });
});

describe('4 Create natural person identification: with Requestor-ID; Accepted with no content', () => {
  it('answers 202 without a body', async () => {
    const id = await makePerson(contract());
    const options = { body: recentIdentification, headers: { 'requestor-id': id } };
    expect(await contract().call('POST', personPath(id, '/identification'), options)).toMatchObject({
      status: 202,
      body: '',
    });
  });
});

describe('7 Not Found + 8 Retention of INVALID records: 48 hours, then purged', () => {
  it('answers Not Found for an INVALID person after 48 hours, and not before', async () => {
    contract().platform.settings.change({ checksAfter: 0, checkOutcomes: { INVALID: 1 } });
    const { naturalPersonId } = await createNaturalPerson(contract().client, samplePerson);
    await contract().advance(48 * 3_600 - 1);
    expect(await statusOf(naturalPersonId)).toBe('INVALID');
    await contract().advance(1);
    await expect(getNaturalPerson(contract().client, naturalPersonId)).rejects.toEqual(httpError(404));
    expect(await Array.fromAsync(listNaturalPersons(contract().client))).toEqual([]);
    expect((await contract().call('GET', `/control/natural-persons/${naturalPersonId}`)).status).toBe(404);
  });
});

describe('7 Conflict: an externalId that is taken', () => {
  it('keeps the externalId of a purged INVALID person reserved', async () => {
    contract().platform.settings.change({ checkOutcomes: { INVALID: 1 } });
    await createPerson(contract());
    await contract().advance(49 * 3_600);
    await expect(createNaturalPerson(contract().client, samplePerson)).rejects.toEqual(
      httpError(409, { condition: 'CONFLICT' }),
    );
  });
});
