import { describe, expect, it } from 'vitest';
import { PlatformHttpError, PlatformInputError, PlatformSchemaError } from '#shared/platform/client/errors.ts';
import { getTransfer } from '#shared/platform/resources/transfers.ts';
import { json, platformOfFile } from '#test/shared/platform/client/platform-server.ts';
import { createTestClient, errorOf, requestor } from '#test/shared/platform/client/test-client.ts';

const server = platformOfFile();

const client = () => createTestClient(server.baseUrl).client;
const modifiedOn = '2026-01-02T03:04:05.123456Z';

describe('section 4.3: a transfer', () => {
  it('reads a transfer on behalf of the requestor', async () => {
    server.answerWith(json(200, { transfer: { transferId: 't 1', transferStatus: 'PROCESSED', modifiedOn, more: 1 } }));
    expect(await getTransfer(client(), requestor, 't 1')).toEqual({
      transferId: 't 1',
      transferStatus: 'PROCESSED',
      modifiedOn,
      more: 1,
    });
    expect(server.requests).toMatchObject([{ method: 'GET', url: '/transfers/t%201' }]);
    expect(server.requests[0]?.headers['requestor-id']).toBe(requestor);
  });

  it('accepts an unknown status, and a transfer that has only its id', async () => {
    server.answerWith(json(200, { transfer: { transferId: 't', transferStatus: 'SETTLED_LATER' } }));
    expect(await getTransfer(client(), requestor, 't')).toMatchObject({ transferStatus: 'SETTLED_LATER' });
    server.answerWith(json(200, { transfer: { transferId: 't', transferStatus: null } }));
    expect(await getTransfer(client(), requestor, 't')).toMatchObject({ transferId: 't' });
  });

  it.each([
    ['without a wrapper', { transferId: 't', transferStatus: 'PROCESSED', modifiedOn }],
    ['without a wrapper, by the short names', { id: 't', status: 'PROCESSED', modifiedOn }],
    ['in a wrapper, by the short names', { transfer: { id: 't', status: 'PROCESSED', modifiedOn } }],
    ['in a wrapper, the rest outside', { transfer: { id: 't' }, status: 'PROCESSED', modifiedOn }],
    ['in an envelope with an id', { id: 'e', status: 'OK', transfer: { id: 't', status: 'PROCESSED', modifiedOn } }],
  ])('reads a transfer %s', async (_, body) => {
    server.answerWith(json(200, body));
    expect(await getTransfer(client(), requestor, 't')).toMatchObject({
      transferId: 't',
      transferStatus: 'PROCESSED',
      modifiedOn,
    });
  });

  it.each([
    ['those names', { data: { reference: 't', state: 'PROCESSED', changedOn: modifiedOn } }],
    ['the usual names', { transfer: { transferId: 't', transferStatus: 'PROCESSED', modifiedOn } }],
  ])('reads a transfer by %s where the profile has names of transfers in events', async (_, body) => {
    const names = { wrappers: ['data'], id: ['reference'], status: ['state'], modifiedOn: ['changedOn'] };
    const places = { TRANSFER_NOTIFICATION: { kind: 'transfer' as const, ...names } };
    server.answerWith(json(200, body));
    const { client: other } = createTestClient(server.baseUrl, { profile: { places } });
    expect(await getTransfer(other, requestor, 't')).toMatchObject({
      transferId: 't',
      transferStatus: 'PROCESSED',
      modifiedOn,
    });
  });

  it('takes the id that was asked for where an answer has several', async () => {
    const places = { TRANSFER_NOTIFICATION: { kind: 'transfer' as const, id: ['paymentId'], status: ['state'] } };
    server.answerWith(json(200, { paymentId: 'p', transferId: 't', transferStatus: 'PROCESSED' }));
    const { client: other } = createTestClient(server.baseUrl, { profile: { places } });
    expect(await getTransfer(other, requestor, 't')).toMatchObject({ transferId: 't', transferStatus: 'PROCESSED' });
  });

  it.each([{ transfer: {} }, { transferStatus: 'PROCESSED' }, {}, [[]], null])(
    'refuses %j, which has no id of a transfer',
    async (body) => {
      server.answerWith(json(200, body));
      await errorOf(PlatformSchemaError, getTransfer(client(), requestor, 't'));
    },
  );

  it('reads Not Found of a purged transfer as PURGED', async () => {
    server.answerWith(json(404, {}));
    const error = await errorOf(PlatformHttpError, getTransfer(client(), requestor, 't'));
    expect(error.condition).toBe('PURGED');
  });

  it('calls the path of the profile', async () => {
    server.answerWith(json(200, { transfer: { transferId: 't' } }));
    const { client: other } = createTestClient(server.baseUrl, { profile: { transfersPath: '/money/transfers' } });
    await getTransfer(other, requestor, 't');
    expect(server.requests).toMatchObject([{ url: '/money/transfers/t' }]);
  });

  it.each(['', '.', '..', '\ud800'])('sends nothing for the id %j', async (transferId) => {
    server.answerWith(json(200, {}));
    const error = await errorOf(PlatformInputError, getTransfer(client(), requestor, transferId));
    expect(error.problems).toEqual([expect.stringMatching(/^transferId: must .*\(section 4\)$/)]);
    expect(server.requests).toHaveLength(0);
  });
});
