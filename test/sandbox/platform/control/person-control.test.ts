import { beforeEach, describe, expect, it } from 'vitest';
import { refusedFor, startPersons, type TestPersons } from '#test/sandbox/platform/persons/persons-fixture.ts';
import { refusal } from '#test/sandbox/platform/platform-fixture.ts';

let persons: TestPersons;
beforeEach(() => {
  persons = startPersons();
});

const make = (body: unknown, headers = {}) => persons.request('POST', '/control/natural-persons', { body, headers });
const view = (id: string) => persons.request('GET', `/control/natural-persons/${id}`);

describe('sandbox platform: POST /control/natural-persons', () => {
  it('creates an ACTIVE person of age that may act immediately', async () => {
    const naturalPersonId = await persons.madeId();
    expect((await persons.get(naturalPersonId)).body).toMatchObject({
      naturalPersonStatus: 'ACTIVE',
      naturalPersonIdentifications: [{ identificationType: 'VIDEO_IDENT' }],
    });
    expect((await persons.createVerification(naturalPersonId, { naturalPersonId })).status).toBe(200);
  });

  it('creates different persons, and the same ones for the same seed', async () => {
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

  it('rejects invalid fields and an externalId that was used before', async () => {
    expect(await make({ status: 'HAPPY' })).toEqual(refusedFor('status'));
    expect(await make({ firstName: ' ' })).toEqual(refusedFor('firstName'));
    expect(await make({ favouriteColour: 'red' })).toEqual(refusedFor('favouriteColour'));
    await make({ externalId: 'a' });
    expect(await make({ externalId: 'a' })).toEqual(refusal(409, 'CONFLICT', expect.any(String)));
  });
});

describe('sandbox platform: GET /control/natural-persons/{id}', () => {
  it('returns the person, its history, its next statuses and its verifications', async () => {
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
});

describe('sandbox platform: /control/identification-verifications/{id}', () => {
  it('returns the verification and its history', async () => {
    const id = await persons.verificationId(await persons.madeId());
    await persons.clock.advance(1);
    await persons.endVideoCall(id, 'DECLINED');
    expect((await persons.request('GET', `/control/identification-verifications/${id}`)).body).toMatchObject({
      identificationVerification: { identificationVerificationId: id, status: 'DECLINED' },
      history: [{ status: 'RECEIVED' }, { status: 'PENDING' }, { status: 'DECLINED' }],
    });
  });
});
