import { beforeEach, describe, expect, it } from 'vitest';
import { refusedFor, startPersons, type TestPersons } from './persons-fixture.ts';

let persons: TestPersons;
let personId: string;
beforeEach(async () => {
  persons = startPersons({ settings: { updatesAfter: 5 } });
  personId = await persons.madeId('ACTIVE', { externalId: 'partner-1' });
});

const update = (data: object, more: object = {}) =>
  persons.update(personId, personId, { naturalPersonUpdateData: data, ...more });

describe('sandbox platform: Update natural person (section 4)', () => {
  it('applies and notifies the update after updatesAfter', async () => {
    const before = await persons.notified();
    const person = persons.persons.get(personId);
    expect(await update({ profession: 'Baker', contact: { phone: '112' } })).toEqual({ status: 202, body: undefined });
    await persons.clock.advance(4.999);
    expect((await persons.get(personId)).body).toEqual(person);
    await persons.clock.advance(0.001);
    const modifiedOn = '2026-11-21T08:00:05Z';
    expect((await persons.get(personId)).body).toEqual({
      ...person,
      profession: 'Baker',
      contact: { phone: '112' },
      modifiedOn,
    });
    expect((await persons.notified()).slice(before.length)).toMatchObject([
      { naturalPersonId: personId, status: 'ACTIVE', modifiedOn, notificationType: 'UPDATED' },
    ]);
  });
});

describe('sandbox platform: externalId in an update (section 2.4)', () => {
  it('rejects an externalId that another person has or had', async () => {
    const other = await persons.madeId('ACTIVE', { externalId: 'taken' });
    expect(await update({ externalId: 'taken' })).toEqual(refusedFor('externalId'));
    await persons.update(other, other, { naturalPersonUpdateData: { externalId: 'newer' } });
    expect(await update({ externalId: 'taken' })).toEqual(refusedFor('externalId'));
    expect(await update({ externalId: 'newer' })).toEqual(refusedFor('externalId'));
  });

  it('accepts an externalId that the person has or had itself', async () => {
    for (const externalId of ['partner-1', 'partner-2', 'partner-2', 'partner-1'])
      expect((await update({ externalId })).status).toBe(202);
  });
});
