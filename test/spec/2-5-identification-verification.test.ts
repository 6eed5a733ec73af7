import { beforeEach, describe, expect, it } from 'vitest';
import {
  createIdentificationVerification,
  getIdentificationVerification,
  listIdentificationVerifications,
} from '#shared/platform/resources/identification-verifications.ts';
import { getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { registerPartner, unknownId, useContract } from './contract.ts';
import { createPerson, makePerson, makeProxy } from './persons.ts';
import { httpError, refused } from './refused.ts';

const contract = useContract();

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;
const kind = { externalVerifier: 'EXTERNAL_VERIFIER_ID', identificationType: 'VIDEO_IDENT' } as const;
const path = '/entities/identification-verifications';

/** A CREATED person, and an ACTIVE person with a proxy for it. */
let naturalPersonId: string;
let requestor: string;
beforeEach(async () => {
  naturalPersonId = await createPerson(contract());
  requestor = await makePerson(contract());
  await makeProxy(contract(), requestor, naturalPersonId);
});

async function create(): Promise<string> {
  const created = await createIdentificationVerification(contract().client, requestor, { naturalPersonId, ...kind });
  return created.identificationVerificationId;
}
const read = (id: string) => getIdentificationVerification(contract().client, requestor, id);

/** Creates a verification, and lets its video call succeed. */
async function approve(): Promise<string> {
  const id = await create();
  await contract().advance(10);
  await contract().control('POST', `/identification-verifications/${id}/video-call`, { outcome: 'APPROVED' });
  await contract().advance(10);
  return id;
}

describe('2.5 identificationVerificationId + 2.5 naturalPersonId + 3.2 RECEIVED: a new verification of a person', () => {
  it('starts a verification as RECEIVED, without a link or a notification', async () => {
    await registerPartner(contract(), 'IDENTIFICATION_VERIFICATION_NOTIFICATION');
    const identificationVerificationId = await create();
    expect(identificationVerificationId).toMatch(uuid);
    const time = expect.stringMatching(dateTime);
    const expected = { identificationVerificationId, naturalPersonId, ...kind, status: 'RECEIVED' };
    expect(await read(identificationVerificationId)).toEqual({ ...expected, createdOn: time, modifiedOn: time });
    expect(contract().partner.received).toEqual([]);
  });

  it('refuses a create without a naturalPersonId', async () => {
    const headers = { 'requestor-id': requestor };
    expect(await contract().call('POST', path, { body: kind, headers })).toEqual(refused(400, 'naturalPersonId'));
  });
});

describe('2.5 externalVerifier + 7 Not Implemented: a single vendor', () => {
  it('answers Not Implemented to another verifier', async () => {
    const verification = { naturalPersonId, ...kind, externalVerifier: 'ANOTHER_VENDOR' };
    await expect(createIdentificationVerification(contract().client, requestor, verification)).rejects.toEqual(
      httpError(501, { condition: 'NOT_IMPLEMENTED', isRetryable: false }),
    );
  });
});

describe('2.5 identificationType + 7 Not Implemented: VIDEO_IDENT only', () => {
  it('answers Not Implemented to another type, which the client does not send', async () => {
    const body = { naturalPersonId, ...kind, identificationType: 'POST_IDENT' };
    const headers = { 'requestor-id': requestor };
    expect(await contract().call('POST', path, { body, headers })).toMatchObject({
      status: 501,
      body: { responseType: 'NOT_IMPLEMENTED', message: expect.stringContaining('supported') },
    });
    expect(await Array.fromAsync(listIdentificationVerifications(contract().client, requestor))).toEqual([]);
    await expect(
      createIdentificationVerification(contract().client, requestor, body as { naturalPersonId: string } & typeof kind),
    ).rejects.toThrow(/identificationType: .*VIDEO_IDENT.*section 2\.5/);
  });
});

describe('2.5 status + 2.5 createdOn, modifiedOn + 2.5 identificationUrl + 4 Get Identification Verification: PENDING, with the link to the video call', () => {
  it('moves from RECEIVED to PENDING, with the identificationUrl and a later modifiedOn', async () => {
    const id = await create();
    const received = await read(id);
    await contract().advance(10);
    const pending = await read(id);
    expect(pending).toEqual({
      ...received,
      status: 'PENDING',
      identificationUrl: expect.stringMatching(/^https:\/\//),
      modifiedOn: expect.stringMatching(dateTime),
    });
    expect(pending.modifiedOn).not.toBe(received.modifiedOn);
  });

  it('answers Not Found to an unknown id', async () => {
    await expect(read(unknownId)).rejects.toEqual(httpError(404));
  });
});

describe('2.5 status + 2.5 documentId + 2.5 naturalPersonIdentificationId: with the approval', () => {
  it('moves from PENDING to APPROVED, with a documentId and an identification of the person', async () => {
    const { status, documentId, naturalPersonIdentificationId } = await read(await approve());
    expect(status).toBe('APPROVED');
    expect(documentId).toMatch(uuid);
    const person = await getNaturalPerson(contract().client, naturalPersonId);
    expect(person.naturalPersonIdentifications).toMatchObject([{ identificationId: naturalPersonIdentificationId }]);
  });
});

describe('4 Create Identification Verification: with Requestor-ID; the id is returned', () => {
  it('refuses a field that section 4 does not list, and with a setting the redirectUrl that was observed', async () => {
    const send = (field: object) =>
      contract().call('POST', path, {
        body: { naturalPersonId, ...kind, ...field },
        headers: { 'requestor-id': requestor },
      });
    const redirectUrl = 'https://partner.example/done';
    expect(await send({ documentNumber: 'L01X00T47' })).toEqual(refused(400, 'documentNumber'));
    expect((await send({ redirectUrl })).status).toBe(200);
    contract().platform.settings.change({ acceptRedirectUrl: false });
    expect(await send({ redirectUrl })).toEqual(refused(400, 'redirectUrl'));
  });

  it('refuses a verification of a minor', async () => {
    const minor = await createPerson(contract(), { birthDay: '2010-01-01', externalId: 'minor' });
    await makeProxy(contract(), requestor, minor);
    await expect(
      createIdentificationVerification(contract().client, requestor, { naturalPersonId: minor, ...kind }),
    ).rejects.toEqual(httpError(400));
  });
});

describe('4 Get Identification Verifications: with Requestor-ID, cursor and limit', () => {
  const list = (limit?: number) => listIdentificationVerifications(contract().client, requestor, { limit });

  it('lists each verification once across the pages', async () => {
    const ids = [await create(), await create(), await create()];
    const listed = await Array.fromAsync(list(2));
    expect(listed.map((one) => one.identificationVerificationId).toSorted()).toEqual(ids.toSorted());
    expect((await Array.fromAsync(list(2).pages())).map(({ items }) => items.length)).toEqual([2, 1]);
  });

  it('leaves out persons that the requestor may not act for', async () => {
    await create();
    const stranger = await makePerson(contract());
    const { proxyId } = await makeProxy(contract(), stranger, naturalPersonId);
    const listed = () => Array.fromAsync(listIdentificationVerifications(contract().client, stranger));
    expect(await listed()).toHaveLength(1);
    await contract().control('DELETE', `/proxies/${proxyId}`);
    expect(await listed()).toEqual([]);
  });
});
