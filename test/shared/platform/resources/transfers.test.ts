import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformInputError, PlatformSchemaError } from '#shared/platform/client/errors.ts';
import { PlatformHttpError } from '#shared/platform/client/http-error.ts';
import { getTransfer } from '#shared/platform/resources/transfers.ts';
import { json, type PlatformServer, startPlatformServer } from '#test/shared/platform/client/platform-server.ts';
import { createTestClient, errorOf, requestor } from '#test/shared/platform/client/test-client.ts';

let server: PlatformServer;
beforeAll(async () => {
  server = await startPlatformServer();
});
afterAll(() => server.close());

const client = () => createTestClient(server.baseUrl).client;
const modifiedOn = '2026-01-02T03:04:05.123456Z';

describe('facts, transfer read: a transfer comes in a wrapper, with its status under a name of its own', () => {
  it('is read on behalf of the requestor', async () => {
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

  it('is taken with a word that nobody knows yet, and with nothing but its id', async () => {
    server.answerWith(json(200, { transfer: { transferId: 't', transferStatus: 'SETTLED_LATER' } }));
    expect(await getTransfer(client(), requestor, 't')).toMatchObject({ transferStatus: 'SETTLED_LATER' });
    server.answerWith(json(200, { transfer: { transferId: 't', transferStatus: null } }));
    expect(await getTransfer(client(), requestor, 't')).toMatchObject({ transferId: 't' });
  });

  it('is refused without its wrapper, or without its id', async () => {
    for (const body of [{ transferId: 't' }, { transfer: {} }, {}]) {
      server.answerWith(json(200, body));
      await errorOf(PlatformSchemaError, getTransfer(client(), requestor, 't'));
    }
  });

  it('may have been purged', async () => {
    server.answerWith(json(404, {}));
    const error = await errorOf(PlatformHttpError, getTransfer(client(), requestor, 't'));
    expect(error.condition).toBe('PURGED');
  });

  it('is where the profile says', async () => {
    server.answerWith(json(200, { transfer: { transferId: 't' } }));
    const { client: other } = createTestClient(server.baseUrl, { profile: { transfersPath: '/money/transfers' } });
    await getTransfer(other, requestor, 't');
    expect(server.requests).toMatchObject([{ url: '/money/transfers/t' }]);
  });

  it.each(['', '.', '..', '\ud800'])('is not asked for by the id %j', async (transferId) => {
    server.answerWith(json(200, {}));
    const error = await errorOf(PlatformInputError, getTransfer(client(), requestor, transferId));
    expect(error.problems).toEqual([expect.stringMatching(/^transferId: must .*\(section 4\)$/)]);
    expect(server.requests).toHaveLength(0);
  });
});
