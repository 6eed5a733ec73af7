import { beforeEach, describe, expect, it } from 'vitest';
import { recentIdentification } from '#test/shared/platform/resources/sample-persons.ts';
import { startPersons, type TestPersons } from './persons-fixture.ts';

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

const person = async () => (await persons.get(personId)).body;
const last = async (count: number) => (await persons.notified()).slice(-count);

describe('sandbox platform: Create natural person identification (section 4.2)', () => {
  it('moves the person from CREATED to PENDING to ACTIVE, with notifications', async () => {
    await persons.identify(representativeId, personId, recentIdentification);
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
    expect((await persons.identify(representativeId, early, recentIdentification)).status).toBe(202);
    await persons.clock.advance(59);
    expect((await persons.get(early)).body).toMatchObject({ naturalPersonStatus: 'RECEIVED' });
    await persons.clock.advance(13);
    expect((await persons.get(early)).body).toMatchObject({ naturalPersonStatus: 'ACTIVE' });
  });
});

describe('sandbox platform: the Requestor-ID of an identification (section 5)', () => {
  it('rejects a person that is not ACTIVE yet, unless the environment allows self-identification', async () => {
    const notActive = { status: 400, body: { errorCode: 'VALIDATION_ERROR' } };
    persons.settings.change({ acceptSelfBeforeActive: false });
    expect(await persons.identify(personId, personId, recentIdentification)).toMatchObject(notActive);
    persons.settings.change({ acceptSelfBeforeActive: true });
    expect((await persons.identify(personId, personId, recentIdentification)).status).toBe(202);
  });
});
