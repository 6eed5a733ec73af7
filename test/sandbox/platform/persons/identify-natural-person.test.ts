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

describe('sandbox platform: Create natural person identification (section 4.2)', () => {
  it('adds the identification to the person', async () => {
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

  it('moves the person from CREATED to PENDING to ACTIVE, with notifications', async () => {
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

  it('moves the person to ACTIVE when the checks end after the identification', async () => {
    persons.settings.change({ checksAfter: 60 });
    const early = await persons.createdId({ externalId: 'early' });
    expect((await persons.identify(representativeId, early, idCard)).status).toBe(202);
    await persons.clock.advance(59);
    expect((await persons.get(early)).body).toMatchObject({ naturalPersonStatus: 'RECEIVED' });
    await persons.clock.advance(13);
    expect((await persons.get(early)).body).toMatchObject({ naturalPersonStatus: 'ACTIVE' });
  });

  it('changes no status other than CREATED', async () => {
    const active = await persons.madeId();
    expect((await persons.identify(active, active, idCard)).status).toBe(202);
    await persons.clock.advance(60);
    expect((await persons.get(active)).body).toMatchObject({
      naturalPersonStatus: 'ACTIVE',
      verifiedOn: expect.stringMatching(/^2026-11-21T08:00:01/),
      naturalPersonIdentifications: [expect.anything(), expect.objectContaining(idCard)],
    });
  });

  it.each(['INVALID', 'REJECTED', 'DECEASED'])('rejects the identification of a person that is %s', async (status) => {
    const other = await persons.madeId(status);
    expect(await persons.identify(representativeId, other, idCard)).toEqual(refusedFor('naturalPersonId'));
  });
});

describe('sandbox platform: fields of an identification (section 4.2)', () => {
  it.each(Object.keys(idCard))('rejects an identification without %s', async (field) => {
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
  ])('rejects the field %s with the value %j', async (field, value) => {
    expect(await identify({ [field]: value })).toEqual(refusedFor(field));
  });

  it('accepts any verifier and type, because section 4.2 lists none', async () => {
    expect((await identify({ externalVerifier: 'PARTNER', identificationType: 'IN_PERSON' })).status).toBe(202);
  });
});

describe('sandbox platform: identificationDate within the last 24 months (sections 4.2 and 8)', () => {
  it.each(['2026-11-21', '2026-11-20', '2024-11-21'])('accepts the date %s', async (identificationDate) => {
    expect((await identify({ identificationDate })).status).toBe(202);
  });

  it.each(['2026-11-22', '2027-01-01', '2024-11-20', '1999-12-31'])(
    'rejects the date %s',
    async (identificationDate) => {
      expect(await identify({ identificationDate })).toEqual(refusedFor('identificationDate'));
    },
  );

  it("follows the platform's clock", async () => {
    await persons.clock.advance(16 * 3_600);
    expect((await identify({ identificationDate: '2026-11-22' })).status).toBe(202);
    expect(await identify({ identificationDate: '2024-11-21' })).toEqual(refusedFor('identificationDate'));
  });
});

describe('sandbox platform: the parents on a birth certificate (section 4.2)', () => {
  it('returns the four fields of the parents', async () => {
    expect((await persons.identify(representativeId, personId, birthCertificate)).status).toBe(202);
    expect(await person()).toMatchObject({ naturalPersonIdentifications: [birthCertificate] });
  });

  it.each(Object.keys(parents))('rejects a birth certificate without %s', async (field) => {
    expect(await identify({ ...birthCertificate, [field]: undefined })).toEqual(refusedFor(field));
    expect(await identify({ ...birthCertificate, [field]: '' })).toEqual(refusedFor(field));
  });

  it.each(Object.entries(parents))('rejects an ID with %s', async (field, value) => {
    expect(await identify({ [field]: value })).toEqual(refusedFor(field));
  });
});

describe('sandbox platform: the Requestor-ID of an identification (section 5)', () => {
  it('answers a missing Requestor-ID with an error', async () => {
    const path = `/entities/natural-persons/${personId}/identification`;
    expect(await persons.send('POST', path, idCard)).toEqual(refusedFor('Requestor-ID'));
  });

  it('rejects a person that is not ACTIVE yet, unless the environment allows self-identification', async () => {
    const notActive = { status: 400, body: { errorCode: 'VALIDATION_ERROR' } };
    persons.settings.change({ acceptSelfBeforeActive: false });
    expect(await persons.identify(personId, personId, idCard)).toMatchObject(notActive);
    persons.settings.change({ acceptSelfBeforeActive: true });
    expect((await persons.identify(personId, personId, idCard)).status).toBe(202);
  });

  it('rejects a requestor without a proxy', async () => {
    const stranger = await persons.madeId();
    const invalid = refusal(400, 'BAD_REQUEST', 'Requestor-ID invalid');
    expect(await persons.identify(stranger, personId, idCard)).toEqual(invalid);
    expect(await persons.identify(stranger, nobody, idCard)).toEqual(invalid);
  });
});
