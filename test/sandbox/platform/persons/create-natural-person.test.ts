import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '#test/sandbox/platform/platform-fixture.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { refusedFor, startPersons, type TestPersons } from './persons-fixture.ts';

let persons: TestPersons;
beforeEach(() => {
  persons = startPersons();
});

// Which fields are required: test/shared/platform/resources/person-fields.test.ts compares them with the client.
describe('sandbox platform: invalid fields of a person (section 2.4)', () => {
  it('rejects null in place of a required field', async () => {
    for (const field of Object.keys(samplePerson).filter((name) => name !== 'externalId'))
      expect(await persons.create({ [field]: null })).toEqual(refusedFor(field));
  });

  it.each(['favouriteColour', '__proto__'])('rejects the unknown field %s', async (field) => {
    const body = JSON.stringify(samplePerson).replace('{', `{${JSON.stringify(field)}:"x",`);
    expect(await persons.send('POST', '/entities/natural-persons', body)).toEqual(refusedFor(field));
  });

  it.each([
    ['firstName', { firstName: 'x'.repeat(256) }],
    ['lastName', { lastName: 'x'.repeat(256) }],
    ['mainAddress.zip', { mainAddress: { zip: '12' } }],
    ['mainAddress.zip', { mainAddress: { zip: '12345678901' } }],
    ['contact.phone', { contact: { phone: '12' } }],
    ['contact.phone', { contact: { phone: '1'.repeat(21) } }],
  ])('rejects a %s that is too short or too long: %j', async (field, data) => {
    expect(await persons.create(data)).toEqual(refusedFor(field));
  });
});

describe('sandbox platform: an externalId is used once (section 7)', () => {
  const conflict = refusal(409, 'CONFLICT', expect.stringContaining('externalId'));

  it('rejects an externalId that its person has since changed', async () => {
    const naturalPersonId = await persons.madeId('ACTIVE', { externalId: 'old' });
    await persons.update(naturalPersonId, naturalPersonId, { naturalPersonUpdateData: { externalId: 'new' } });
    expect(await persons.create({ externalId: 'old' })).toEqual(conflict);
    expect(await persons.create({ externalId: 'new' })).toEqual(conflict);
  });
});

describe('sandbox platform: setting representativeId', () => {
  it('creates an ACTIVE proxy of the representative for each new person', async () => {
    const before = await persons.createdId({ externalId: 'before' });
    const representativeId = await persons.madeId();
    await persons.request('PATCH', '/control/settings', { body: { representativeId } });
    const after = await persons.createdId({ externalId: 'after' });
    const update = { naturalPersonUpdateData: { profession: 'Baker' } };
    expect((await persons.update(representativeId, after, update)).status).toBe(202);
    expect(await persons.update(representativeId, before, update)).toEqual(
      refusal(400, 'BAD_REQUEST', 'Requestor-ID invalid'),
    );
  });
});

describe('sandbox platform: settings for additional fields of a person', () => {
  const address = (more: object) => ({ mainAddress: { city: 'Ulm', country: 'DE', ...more } });

  it.each([
    ['is missing in Canada', { country: 'CA' }],
    ['is empty', { state: '' }],
    ['is too long', { state: 'x'.repeat(36) }],
    ['is no text', { state: 5 }],
  ])('rejects an address whose state %s', async (_, more) => {
    expect(await persons.create(address(more))).toEqual(refusedFor('mainAddress.state'));
    expect(await persons.create(address({ country: 'CA', state: 'Ontario' }))).toMatchObject({ status: 200 });
  });

  it('accepts the configured fields instead of the default ones', async () => {
    const body = { additionalPersonFields: ['nickname'], additionalAddressFields: { planet: ['DE'] } };
    await persons.request('PATCH', '/control/settings', { body });
    expect(await persons.create({ ...address({ planet: 'Earth' }), nickname: 'Eri' })).toMatchObject({ status: 200 });
    expect(await persons.create(address({}))).toEqual(refusedFor('mainAddress.planet'));
    expect(await persons.create(address({ planet: 'Earth', state: 'Bavaria' }))).toEqual(
      refusedFor('mainAddress.state'),
    );
    expect(await persons.madeId('ACTIVE', { nickname: 'Eri' })).toMatch(/./);
  });
});
