import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '#test/sandbox/platform/platform-fixture.ts';
import { idCard, nobody, refusedFor, startPersons, type TestPersons } from './persons-fixture.ts';

const parents = {
  documentMotherFullName: 'Eva Muster',
  documentMotherResidenceCity: 'Ulm',
  documentFatherFullName: 'Otto Muster',
  documentFatherResidenceCity: 'Bonn',
};
const birthCertificate = { ...idCard, identificationDocumentType: 'BIRTH_CERTIFICATE', ...parents };

let persons: TestPersons;
let representativeId: string;
let personId: string;
beforeEach(async () => {
  persons = startPersons({ settings: { identificationsAfter: 5, activationsAfter: 7 } });
  representativeId = await persons.madeId();
  persons.settings.change({ representativeId });
  personId = await persons.createdId();
  await persons.clock.advance(1);
});

const identify = (data: object = {}) => persons.identify(representativeId, personId, { ...idCard, ...data });
const person = async () => (await persons.get(personId)).body;
const last = async (count: number) => (await persons.notified()).slice(-count);

describe('4.2 Create natural person identification: Accepted with no content', () => {
  it('shows among the identifications of the person', async () => {
    expect(await identify()).toEqual({ status: 202, body: undefined });
    expect(await person()).toMatchObject({
      naturalPersonIdentifications: [
        {
          ...idCard,
          identificationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          createdOn: expect.stringMatching(/^2026-11-21T08:00:01/),
          modifiedOn: expect.stringMatching(/^2026-11-21T08:00:01/),
        },
      ],
    });
  });

  it('leads from CREATED to PENDING to ACTIVE, each notified', async () => {
    await identify();
    await persons.clock.advance(4.999);
    expect(await person()).toMatchObject({ naturalPersonStatus: 'CREATED' });
    await persons.clock.advance(0.001);
    expect(await person()).toMatchObject({ naturalPersonStatus: 'PENDING' });
    await persons.clock.advance(7);
    expect(await person()).toMatchObject({ naturalPersonStatus: 'ACTIVE', verifiedOn: '2026-11-21T08:00:13Z' });
    expect((await last(3)).map(({ status }) => status)).toEqual(['CREATED', 'PENDING', 'ACTIVE']);
    for (const one of await last(3))
      expect(one).toMatchObject({ naturalPersonId: personId, notificationType: 'UPDATED' });
  });

  it('leads there also where the checks come later', async () => {
    persons.settings.change({ checksAfter: 60 });
    const early = await persons.createdId({ externalId: 'early' });
    expect((await persons.identify(representativeId, early, idCard)).status).toBe(202);
    await persons.clock.advance(59);
    expect((await persons.get(early)).body).toMatchObject({ naturalPersonStatus: 'RECEIVED' });
    await persons.clock.advance(13);
    expect((await persons.get(early)).body).toMatchObject({ naturalPersonStatus: 'ACTIVE' });
  });

  it('changes no status but CREATED', async () => {
    const active = await persons.madeId();
    expect((await persons.identify(active, active, idCard)).status).toBe(202);
    await persons.clock.advance(60);
    expect((await persons.get(active)).body).toMatchObject({
      naturalPersonStatus: 'ACTIVE',
      verifiedOn: expect.stringMatching(/^2026-11-21T08:00:01/),
      naturalPersonIdentifications: [expect.anything(), expect.objectContaining(idCard)],
    });
  });

  it.each(['INVALID', 'REJECTED', 'DECEASED'])('is refused for a person that is %s', async (status) => {
    const other = await persons.madeId(status);
    expect(await persons.identify(representativeId, other, idCard)).toEqual(refusedFor('naturalPersonId'));
  });
});

describe('4.2 fields: all but the four of the parents are needed', () => {
  it.each(Object.keys(idCard))('is refused without %s', async (field) => {
    expect(await identify({ [field]: undefined })).toEqual(refusedFor(field));
  });

  it.each([
    ['externalVerifier', 'vendor'],
    ['identificationType', ''],
    ['identificationDocumentType', 'id'],
    ['identificationDate', '2026-02-30'],
    ['documentNumber', ''],
    ['documentCountry', 'UK'],
    ['documentIssuer', 7],
    ['documentIssueDate', '1.1.2020'],
    ['documentExpiryDate', '2030-01-01T00:00:00Z'],
    ['documentPhoto', 'x'],
    ['identificationId', nobody],
  ])('is refused where it does not fit: %s %j', async (field, value) => {
    expect(await identify({ [field]: value })).toEqual(refusedFor(field));
  });

  it('may be of any verifier and type: section 4.2 shows no list of them', async () => {
    expect((await identify({ externalVerifier: 'PARTNER', identificationType: 'IN_PERSON' })).status).toBe(202);
  });
});

describe('4.2 and 8 identificationDate: within the last 24 months, by the clock of the platform, in UTC', () => {
  it.each(['2026-11-21', '2026-11-20', '2024-11-21'])('is %s', async (identificationDate) => {
    expect((await identify({ identificationDate })).status).toBe(202);
  });

  it.each(['2026-11-22', '2027-01-01', '2024-11-20', '1999-12-31'])('is not %s', async (identificationDate) => {
    expect(await identify({ identificationDate })).toEqual(refusedFor('identificationDate'));
  });

  it('moves with the clock', async () => {
    await persons.clock.advance(16 * 3_600);
    expect((await identify({ identificationDate: '2026-11-22' })).status).toBe(202);
    expect(await identify({ identificationDate: '2024-11-21' })).toEqual(refusedFor('identificationDate'));
  });
});

describe('4.2 the four of the parents: with BIRTH_CERTIFICATE, and only then', () => {
  it('are shown', async () => {
    expect((await persons.identify(representativeId, personId, birthCertificate)).status).toBe(202);
    expect(await person()).toMatchObject({ naturalPersonIdentifications: [birthCertificate] });
  });

  it.each(Object.keys(parents))('are refused: a birth certificate without %s', async (field) => {
    expect(await identify({ ...birthCertificate, [field]: undefined })).toEqual(refusedFor(field));
    expect(await identify({ ...birthCertificate, [field]: '' })).toEqual(refusedFor(field));
  });

  it.each(Object.entries(parents))('are refused: an ID with %s', async (field, value) => {
    expect(await identify({ [field]: value })).toEqual(refusedFor(field));
  });
});

describe('5 Requestor-ID of an identification', () => {
  it('is mandatory', async () => {
    const path = `/entities/natural-persons/${personId}/identification`;
    expect(await persons.send('POST', path, idCard)).toEqual(refusedFor('Requestor-ID'));
  });

  it('is not the person itself, as long as it is not ACTIVE; unless the environment takes it', async () => {
    const notActive = { status: 400, body: { errorCode: 'VALIDATION_ERROR' } };
    persons.settings.change({ acceptSelfBeforeActive: false });
    expect(await persons.identify(personId, personId, idCard)).toMatchObject(notActive);
    persons.settings.change({ acceptSelfBeforeActive: true });
    expect((await persons.identify(personId, personId, idCard)).status).toBe(202);
  });

  it('is nobody without a proxy', async () => {
    const stranger = await persons.madeId();
    const invalid = refusal(400, 'BAD_REQUEST', 'Requestor-ID invalid');
    expect(await persons.identify(stranger, personId, idCard)).toEqual(invalid);
    expect(await persons.identify(stranger, nobody, idCard)).toEqual(invalid);
  });
});
