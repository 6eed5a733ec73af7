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
