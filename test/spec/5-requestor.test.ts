import { beforeEach, describe, expect, it } from 'vitest';
import { createNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import { getNaturalPerson, updateNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { useContract } from './contract.ts';
import { makePerson, makeProxy, personPath } from './persons.ts';
import { httpError, refused } from './refused.ts';

const contract = useContract();

const body = { naturalPersonUpdateData: { profession: 'Engineer' } };
const update = (requestorId: string, naturalPersonId: string) =>
  updateNaturalPerson(contract().client, requestorId, naturalPersonId, body);

let target: string;
beforeEach(async () => {
  target = await makePerson(contract());
});

describe('5 requestor 1: Requestor-ID is the id of a natural person', () => {
  it.each(['', 'me', '1'])('refuses the Requestor-ID %j in the client', async (requestorId) => {
    await expect(update(requestorId, target)).rejects.toThrow(/Requestor-ID: .*section 5/);
  });

  it.each(['me', '1'])('refuses the Requestor-ID %j on the platform', async (requestorId) => {
    const headers = { 'requestor-id': requestorId };
    expect(await contract().call('PATCH', personPath(target), { body, headers })).toEqual(refused(400, 'Requestor-ID'));
  });

  it('refuses a Requestor-ID of no person', async () => {
    await expect(update('99999999-9999-4999-8999-999999999999', target)).rejects.toEqual(httpError(400));
  });
});

/** The operations for which Requestor-ID is mandatory. */
const mandatory: readonly (readonly [string, string])[] = [
  ['PATCH', '/entities/natural-persons/{id}'],
  ['POST', '/entities/natural-persons/{id}/identification'],
  ['POST', '/entities/identification-verifications'],
  ['GET', '/entities/identification-verifications'],
  ['GET', '/entities/identification-verifications/{id}'],
  ['GET', '/traditional/assets'],
  ['DELETE', '/traditional/orders/{id}'],
  ['GET', '/traditional/orders/trade-invoice/{id}'],
];

describe('5 requestor 2: needed for neither token nor onboarding, mandatory elsewhere', () => {
  const callWithout = ([method, path]: readonly [string, string]) =>
    contract().call(method, path.replace('{id}', target), method === 'GET' || method === 'DELETE' ? {} : { body: {} });

  it.each(mandatory)('answers 400 without Requestor-ID: %s %s', async (...operation) => {
    expect(await callWithout(operation)).toMatchObject({ status: 400 });
  });

  it.each(mandatory)('answers 403 without Requestor-ID in some environments: %s %s', async (...operation) => {
    contract().platform.settings.change({ missingRequestorStatus: 403 });
    expect(await callWithout(operation)).toMatchObject({ status: 403, body: { responseType: 'FORBIDDEN' } });
  });

  it('needs no Requestor-ID to create or read persons', async () => {
    const { client } = contract();
    const { naturalPersonId } = await createNaturalPerson(client, samplePerson);
    expect(await getNaturalPerson(client, naturalPersonId)).toMatchObject({ naturalPersonId });
  });
});

describe('5 requestor 3: one that is not ACTIVE is refused with VALIDATION_ERROR', () => {
  it.each(['CREATED', 'SUSPENDED', 'BLOCKED'])('refuses a requestor that is %s', async (status) => {
    const requestor = await makePerson(contract(), status);
    await makeProxy(contract(), requestor, target);
    await expect(update(requestor, target)).rejects.toEqual(
      httpError(400, { condition: 'VALIDATION_ERROR', isRetryable: false }),
    );
  });
});

describe('5 requestor 4: a requestor may act for itself', () => {
  it('accepts the person itself as the requestor', async () => {
    await update(target, target);
  });
});

describe('5 requestor 5: a requestor with an ACTIVE proxy may act for whom it represents', () => {
  it('accepts a requestor with an ACTIVE proxy for the person', async () => {
    const requestor = await makePerson(contract());
    await makeProxy(contract(), requestor, target);
    await update(requestor, target);
    await contract().advance(10);
    expect((await getNaturalPerson(contract().client, target)).profession).toBe('Engineer');
  });

  it('refuses a requestor whose proxy was removed', async () => {
    const requestor = await makePerson(contract());
    const { proxyId } = await makeProxy(contract(), requestor, target);
    await contract().control('DELETE', `/proxies/${proxyId}`);
    await expect(update(requestor, target)).rejects.toEqual(httpError(400, { condition: 'REQUESTOR_ID_INVALID' }));
  });

  it('refuses the represented person as a requestor for its proxy', async () => {
    const requestor = await makePerson(contract());
    await makeProxy(contract(), requestor, target);
    await expect(update(target, requestor)).rejects.toEqual(httpError(400, { condition: 'REQUESTOR_ID_INVALID' }));
  });
});

describe('5 requestor 6: any other is refused with Requestor-ID invalid', () => {
  it('refuses a stranger as the requestor', async () => {
    const stranger = await makePerson(contract());
    await expect(update(stranger, target)).rejects.toEqual(
      httpError(400, { condition: 'REQUESTOR_ID_INVALID', isRetryable: false }),
    );
    await contract().advance(10);
    expect((await getNaturalPerson(contract().client, target)).profession).not.toBe('Engineer');
  });
});

describe('7 Bad Request: to what an operation cannot take, a missing Requestor-ID included', () => {
  it('answers with the error body of the platform', async () => {
    expect(await contract().call('POST', '/entities/natural-persons', { body: {} })).toEqual(refused(400, 'firstName'));
    expect(await contract().call('PATCH', personPath(target), { body })).toEqual(refused(400, 'Requestor-ID'));
  });

  it('names each field that is wrong', async () => {
    const { body: answered } = await contract().call('POST', '/entities/natural-persons', {
      body: { ...samplePerson, birthDay: 'x', language: 'xx' },
    });
    expect(answered).toMatchObject({ errorDetails: [{ field: 'birthDay' }, { field: 'language' }] });
  });
});

describe('7 Forbidden: a missing Requestor-ID', () => {
  it('answers 403 without Requestor-ID in some environments', async () => {
    contract().platform.settings.change({ missingRequestorStatus: 403 });
    expect(await contract().call('PATCH', personPath(target), { body })).toEqual(refused(403, 'Requestor-ID'));
  });
});

describe('7 VALIDATION_ERROR: the requestor is not ACTIVE', () => {
  it('names VALIDATION_ERROR as the errorCode', async () => {
    const requestor = await makePerson(contract(), 'SUSPENDED');
    const headers = { 'requestor-id': requestor };
    expect(await contract().call('PATCH', personPath(requestor), { body, headers })).toMatchObject({
      status: 400,
      body: { errorCode: 'VALIDATION_ERROR' },
    });
  });
});

describe('7 Requestor-ID invalid: no direct match and no active proxy', () => {
  it('answers the message Requestor-ID invalid', async () => {
    const headers = { 'requestor-id': await makePerson(contract()) };
    expect(await contract().call('PATCH', personPath(target), { body, headers })).toMatchObject({
      status: 400,
      body: { message: 'Requestor-ID invalid' },
    });
  });
});

describe('7 Not Implemented: an unsupported verifier or identification type', () => {
  it.each([{ externalVerifier: 'ANOTHER_VENDOR' }, { identificationType: 'POST_IDENT' }])(
    'answers Not Implemented to %o',
    async (other) => {
      const verification = {
        naturalPersonId: target,
        externalVerifier: 'EXTERNAL_VERIFIER_ID',
        identificationType: 'VIDEO_IDENT',
        ...other,
      };
      const options = { body: verification, headers: { 'requestor-id': target } };
      expect(await contract().call('POST', '/entities/identification-verifications', options)).toMatchObject({
        status: 501,
        body: { responseType: 'NOT_IMPLEMENTED' },
      });
    },
  );
});
