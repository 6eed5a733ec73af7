import { beforeEach, describe, expect, it } from 'vitest';
import { naturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import { refusal } from '#test/sandbox/platform/platform-fixture.ts';
import { samplePerson } from '#test/shared/platform/sample-persons.ts';
import { personStatuses } from './legal-changes.ts';
import { nobody, refusedFor, startPersons, type TestPersons } from './persons-fixture.ts';

let persons: TestPersons;
beforeEach(() => {
  persons = startPersons();
});

const make = (body: unknown, headers = {}) => persons.request('POST', '/control/natural-persons', { body, headers });
const view = (id: string) => persons.request('GET', `/control/natural-persons/${id}`);

describe('POST /control/natural-persons: a person that is ready', () => {
  it('is ACTIVE, of age, and may act at once', async () => {
    const naturalPersonId = await persons.madeId();
    expect((await persons.get(naturalPersonId)).body).toMatchObject({
      naturalPersonStatus: 'ACTIVE',
      naturalPersonIdentifications: [{ identificationType: 'VIDEO_IDENT' }],
    });
    expect((await persons.createVerification(naturalPersonId, { naturalPersonId })).status).toBe(200);
  });

  it.each(personStatuses)('is %s, by a way that the table allows', async (status) => {
    const { body } = await view(await persons.madeId(status));
    expect(body).toMatchObject({ naturalPerson: { naturalPersonStatus: status } });
    expect(body).toMatchObject({ history: expect.arrayContaining([expect.objectContaining({ status })]) });
  });

  it('is somebody else each time, and the same for the same seed', async () => {
    const namesOf = async (seed: number) => {
      const platform = startPersons({ seed });
      const ids = await Array.fromAsync({ length: 20 }, () => platform.madeId());
      return ids
        .map((id) => platform.persons.get(id))
        .map(({ firstName, lastName, birthDay }) => firstName + lastName + birthDay);
    };
    expect(new Set(await namesOf(1)).size).toBe(20);
    expect(await namesOf(1)).toEqual(await namesOf(1));
    expect(await namesOf(1)).not.toEqual(await namesOf(2));
  });

  it('fits section 2.4 whatever is made up', async () => {
    const ids = await Array.fromAsync({ length: 200 }, () => persons.madeId());
    for (const id of ids) expect(naturalPerson.safeParse((await persons.get(id)).body).error).toBeUndefined();
  });

  it('is as you say, where you say something', async () => {
    const naturalPersonId = await persons.madeId('CREATED', samplePerson);
    expect((await persons.get(naturalPersonId)).body).toMatchObject(samplePerson);
  });

  it('is refused where it does not fit, or its externalId was used', async () => {
    expect(await make({ status: 'HAPPY' })).toEqual(refusedFor('status'));
    expect(await make({ firstName: ' ' })).toEqual(refusedFor('firstName'));
    expect(await make({ favouriteColour: 'red' })).toEqual(refusedFor('favouriteColour'));
    await make({ externalId: 'a' });
    expect(await make({ externalId: 'a' })).toEqual(refusal(409, 'CONFLICT', expect.any(String)));
  });

  it('takes no body for an empty one, but no other content for JSON', async () => {
    expect((await make(undefined)).status).toBe(200);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await make('{"status":"BLOCKED"}', headers)).toEqual(
      refusal(400, 'BAD_REQUEST', expect.stringContaining('--json')),
    );
  });
});

describe('GET /control/natural-persons/{id}: what the platform knows', () => {
  it('has the person, its statuses, what may follow, and its verifications', async () => {
    const naturalPersonId = await persons.madeId();
    const identificationVerificationId = await persons.verificationId(naturalPersonId);
    expect(await view(naturalPersonId)).toEqual({
      status: 200,
      body: {
        naturalPerson: (await persons.get(naturalPersonId)).body,
        history: ['RECEIVED', 'CREATED', 'PENDING', 'ACTIVE'].map((status) => ({ status, since: expect.any(String) })),
        nextStatuses: ['SUSPENDED', 'BLOCKED', 'DECEASED'],
        identificationVerifications: [expect.objectContaining({ identificationVerificationId, status: 'RECEIVED' })],
      },
    });
  });

  it.each([
    ['GET', '', undefined],
    ['POST', '/status', { naturalPersonStatus: 'ACTIVE' }],
    ['POST', '/signed-documents', {}],
  ])('is Not Found where there is none of this id: %s %s', async (method, rest, body) => {
    expect((await persons.request(method, `/control/natural-persons/${nobody}${rest}`, { body })).status).toBe(404);
  });
});

describe('POST /control/natural-persons/{id}/signed-documents: 2.4 SignedDocument', () => {
  it('shows with the person, and is notified', async () => {
    const naturalPersonId = await persons.madeId();
    const before = (await persons.notified()).length;
    const path = `/control/natural-persons/${naturalPersonId}/signed-documents`;
    await persons.request('POST', path, { body: {} });
    await persons.request('POST', path, { body: { name: 'Fees', documentType: 'FEES', version: 3 } });
    const system = { partnerDocumentId: expect.any(String), customerId: expect.any(String) };
    expect((await persons.get(naturalPersonId)).body).toMatchObject({
      naturalPersonSignedDocuments: [
        { name: 'Terms and conditions', documentType: 'TERMS_AND_CONDITIONS', version: 1, ...system },
        { name: 'Fees', documentType: 'FEES', version: 3, ...system },
      ],
    });
    expect((await persons.notified()).slice(before)).toMatchObject([
      { notificationType: 'UPDATED' },
      { notificationType: 'UPDATED' },
    ]);
  });
});

describe('/control/identification-verifications/{id}', () => {
  it('shows a verification with its statuses', async () => {
    const id = await persons.verificationId(await persons.madeId());
    await persons.clock.advance(1);
    await persons.endVideoCall(id, 'DECLINED');
    expect((await persons.request('GET', `/control/identification-verifications/${id}`)).body).toMatchObject({
      identificationVerification: { identificationVerificationId: id, status: 'DECLINED' },
      history: [{ status: 'RECEIVED' }, { status: 'PENDING' }, { status: 'DECLINED' }],
    });
  });

  it('is Not Found where there is none of this id', async () => {
    expect((await persons.request('GET', `/control/identification-verifications/${nobody}`)).status).toBe(404);
    expect((await persons.endVideoCall(nobody, 'APPROVED')).status).toBe(404);
  });
});
