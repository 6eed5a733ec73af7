import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import { getNaturalPerson, updateNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { cancelOrder } from '#shared/platform/resources/traditional-assets.ts';
import { recentIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { type Contract, unknownId, useContract } from './contract.ts';
import { makePerson, makeProxy, personPath } from './persons.ts';
import { httpError, refused } from './refused.ts';

const contract = useContract();

const body = { naturalPersonUpdateData: { profession: 'Engineer' } };
const update = (requestorId: string, naturalPersonId: string) =>
  updateNaturalPerson(contract().client, requestorId, naturalPersonId, body);

/** A proxy of a natural person for a legal entity. */
async function makeEntityProxy({ control }: Contract, representativeId: string, legalEntityId: string) {
  const answer = await control('POST', '/proxies', { representativeId, legalEntityId });
  return z.object({ proxyId: z.string() }).parse(answer);
}

/** A PENDING order of a new legal entity, placed by a person with another proxy for it. */
async function placeOrderOfEntity({ control, advance }: Contract) {
  const answer = await control('POST', '/legal-entities', { cash: 1_000 });
  const { legalEntityId } = z.object({ legalEntityId: z.string() }).parse(answer);
  const requestorId = await makePerson(contract());
  await makeEntityProxy(contract(), requestorId, legalEntityId);
  const order = { legalEntityId, requestorId, isin: 'DE000SBX0018', side: 'BUY', quantity: 1 };
  const { orderId } = z.object({ orderId: z.string() }).parse(await control('POST', '/orders', order));
  await advance(5);
  expect(await control('GET', `/orders/${orderId}`)).toMatchObject({ status: 'PENDING' });
  return { legalEntityId, orderId };
}

let target: string;
beforeEach(async () => {
  target = await makePerson(contract());
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
  ['GET', '/traditional/orders/{id}'],
  ['GET', '/transfers/{id}'],
];

/** The other operations but those of the token and the onboarding. Their examples carry no Requestor-ID. */
const further: readonly (readonly [string, string])[] = [
  ['GET', '/entities/natural-persons'],
  ['GET', '/entities/natural-persons/{id}'],
  ['GET', '/webhooks'],
  ['POST', '/webhooks'],
  ['GET', '/webhooks/TRANSFER_NOTIFICATION'],
  ['DELETE', '/webhooks/TRANSFER_NOTIFICATION'],
  ['GET', '/webhooks-missing'],
  ['GET', '/webhooks-undelivered'],
  ['POST', '/webhooks-undelivered/mark-delivered'],
];

/** Calls an operation about this person with a body that is right. */
function call([method, path]: readonly [string, string], id: string, requestorId?: string) {
  const bodies: Readonly<Record<string, object>> = {
    [personPath('{id}')]: body,
    [personPath('{id}', '/identification')]: recentIdentification,
    '/entities/identification-verifications': {
      naturalPersonId: id,
      externalVerifier: 'EXTERNAL_VERIFIER_ID',
      identificationType: 'VIDEO_IDENT',
    },
  };
  return contract().call(method, path.replace('{id}', id), {
    body: method === 'PATCH' || method === 'POST' ? bodies[path] : undefined,
    headers: requestorId === undefined ? {} : { 'requestor-id': requestorId },
  });
}

describe('5 requestor 1: Requestor-ID is the id of a natural person', () => {
  it.each(['', 'me', '1', unknownId.slice(1), `${unknownId}, ${unknownId}`])(
    'refuses the Requestor-ID %j on the platform',
    async (requestorId) => {
      for (const missingRequestorStatus of [400, 403] as const) {
        contract().platform.settings.change({ missingRequestorStatus });
        expect(await call(['PATCH', personPath('{id}')], target, requestorId)).toEqual(refused(400, 'Requestor-ID'));
      }
    },
  );

  it('accepts a Requestor-ID in capitals', async () => {
    expect((await call(['PATCH', personPath('{id}')], target, target.toUpperCase())).status).toBe(202);
  });
});

describe('5 requestor 2 + 7 Bad Request + 7 Forbidden: needed for neither token nor onboarding, mandatory elsewhere', () => {
  it.each(mandatory)('answers 400, or 403 in some environments, without Requestor-ID: %s %s', async (...operation) => {
    expect(await call(operation, target)).toEqual(refused(400, 'Requestor-ID'));
    contract().platform.settings.change({ missingRequestorStatus: 403 });
    expect(await call(operation, target)).toEqual(refused(403, 'Requestor-ID'));
  });

  it.each(further)(
    'needs a requestor that is ACTIVE where the setting says everywhere: %s %s',
    async (...operation) => {
      expect(await call(operation, target)).not.toEqual(refused(400, 'Requestor-ID'));
      contract().platform.settings.change({ requireRequestorEverywhere: true });
      expect(await call(operation, target)).toEqual(refused(400, 'Requestor-ID'));
      const inactive = { status: 400, body: { errorCode: 'VALIDATION_ERROR' } };
      expect(await call(operation, target, await makePerson(contract(), 'SUSPENDED'))).toMatchObject(inactive);
      expect(await call(operation, target, target.toUpperCase())).not.toMatchObject(inactive);
      contract().platform.settings.change({ missingRequestorStatus: 403 });
      expect(await call(operation, target)).toEqual(refused(403, 'Requestor-ID'));
    },
  );

  it('shows a requestor the persons that it may act for, where it is needed everywhere', async () => {
    contract().platform.settings.change({ requireRequestorEverywhere: true });
    const requestor = await makePerson(contract());
    const read = ['GET', personPath('{id}')] as const;
    expect(await call(read, target, requestor)).toMatchObject({ body: { message: 'Requestor-ID invalid' } });
    const listed = async () =>
      z
        .object({ data: z.array(z.object({ naturalPersonId: z.string() })) })
        .parse((await call(['GET', '/entities/natural-persons'], target, requestor)).body)
        .data.map(({ naturalPersonId }) => naturalPersonId);
    expect(await listed()).toEqual([requestor]);
    await makeProxy(contract(), requestor, target);
    expect(await call(read, target, requestor)).toMatchObject({ body: { naturalPersonId: target } });
    expect((await listed()).toSorted()).toEqual([requestor, target].toSorted());
    expect((await call(read, unknownId, requestor)).status).toBe(404);
  });

  it('lets a new person read itself, where it may act in its own identification', async () => {
    contract().platform.settings.change({ requireRequestorEverywhere: true });
    const created = await makePerson(contract(), 'CREATED');
    const read = ['GET', personPath('{id}')] as const;
    expect((await call(read, created, created)).status).toBe(200);
    contract().platform.settings.change({ acceptSelfBeforeActive: false });
    expect((await call(read, created, created)).status).toBe(400);
  });

  it('needs no Requestor-ID to create a person, also where it is needed everywhere', async () => {
    contract().platform.settings.change({ requireRequestorEverywhere: true });
    await createNaturalPerson(contract().client, samplePerson);
  });
});

describe('5 requestor 3 + 7 VALIDATION_ERROR + 3.1 CREATED + 3.1 ACTIVE + 3.1 SUSPENDED + 3.1 BLOCKED: one that is not ACTIVE is refused with VALIDATION_ERROR', () => {
  it.each(mandatory)('refuses a requestor that is not ACTIVE: %s %s', async (...operation) => {
    const requestors = await Promise.all(['SUSPENDED', 'BLOCKED'].map((status) => makePerson(contract(), status)));
    for (const requestor of [...requestors, unknownId])
      expect(await call(operation, target, requestor)).toMatchObject({
        status: 400,
        body: { errorCode: 'VALIDATION_ERROR' },
      });
  });

  it.each(['RECEIVED', 'CREATED', 'PENDING', 'REVIEW', 'INVALID', 'REJECTED', 'SUSPENDED', 'BLOCKED', 'DECEASED'])(
    'refuses a requestor that is %s, for itself and for whom it represents',
    async (status) => {
      const requestor = await makePerson(contract(), status);
      await makeProxy(contract(), requestor, target);
      for (const represented of [requestor, target])
        await expect(update(requestor, represented)).rejects.toEqual(
          httpError(400, { condition: 'VALIDATION_ERROR', isRetryable: false }),
        );
    },
  );
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

  it('accepts a requestor with an ACTIVE proxy for the legal entity, and refuses any other for its order', async () => {
    const { legalEntityId, orderId } = await placeOrderOfEntity(contract());
    const [requestor, stranger] = [await makePerson(contract()), await makePerson(contract())];
    const cancelAs = (id: string) => cancelOrder(contract().client, id, orderId);
    const invalid = httpError(400, { condition: 'REQUESTOR_ID_INVALID' });
    await makeProxy(contract(), stranger, requestor);
    for (const id of [requestor, stranger]) await expect(cancelAs(id)).rejects.toEqual(invalid);

    const { proxyId } = await makeEntityProxy(contract(), requestor, legalEntityId);
    await expect(cancelAs(stranger)).rejects.toEqual(invalid);
    await cancelAs(requestor);
    await contract().advance(10);
    expect(await contract().control('GET', `/orders/${orderId}`)).toMatchObject({ legalEntityId, status: 'CANCELED' });
    await contract().control('DELETE', `/proxies/${proxyId}`);
    await expect(cancelAs(requestor)).rejects.toEqual(invalid);
  });

  it('refuses a requestor whose proxy was removed', async () => {
    const requestor = await makePerson(contract());
    const { proxyId } = await makeProxy(contract(), requestor, target);
    await contract().control('DELETE', `/proxies/${proxyId}`);
    await expect(update(requestor, target)).rejects.toEqual(httpError(400, { condition: 'REQUESTOR_ID_INVALID' }));
  });

  it('applies a proxy in one direction and to one person only', async () => {
    const [requestor, other] = [await makePerson(contract()), await makePerson(contract())];
    await makeProxy(contract(), requestor, target);
    await makeProxy(contract(), target, other);
    const invalid = httpError(400, { condition: 'REQUESTOR_ID_INVALID' });
    await expect(update(target, requestor)).rejects.toEqual(invalid);
    await expect(update(requestor, other)).rejects.toEqual(invalid);
  });
});

describe('5 requestor 6 + 7 Requestor-ID invalid: any other is refused with Requestor-ID invalid', () => {
  it.each(mandatory.slice(0, 3))(
    'refuses a stranger as the requestor, also of no person: %s %s',
    async (...operation) => {
      const stranger = await makePerson(contract());
      for (const id of [target, unknownId])
        expect(await call(operation, id, stranger)).toMatchObject({
          status: 400,
          body: { message: 'Requestor-ID invalid' },
        });
      await expect(update(stranger, target)).rejects.toEqual(
        httpError(400, { condition: 'REQUESTOR_ID_INVALID', isRetryable: false }),
      );
      await contract().advance(10);
      expect((await getNaturalPerson(contract().client, target)).profession).not.toBe('Engineer');
    },
  );
});

describe('7 Bad Request: to what an operation cannot take', () => {
  it('names each field that is wrong', async () => {
    const { body: answered } = await contract().call('POST', '/entities/natural-persons', {
      body: { ...samplePerson, birthDay: 'x', language: 'xx' },
    });
    expect(answered).toMatchObject({ errorDetails: [{ field: 'birthDay' }, { field: 'language' }] });
  });
});
