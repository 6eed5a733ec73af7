import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { PlatformInputError, PlatformSchemaError } from '#shared/platform/client/errors.ts';
import { cancelOrder, getTradeInvoice, listAssets } from '#shared/platform/resources/traditional-assets.ts';
import { empty, inTurn, json, platformOfFile } from '#test/shared/platform/client/platform-server.ts';
import { createTestClient, errorOf, requestor } from '#test/shared/platform/client/test-client.ts';

const server = platformOfFile();

const client = () => createTestClient(server.baseUrl).client;

describe('section 4, List assets', () => {
  it('sends limit and Requestor-ID, and reads the answer with the schema of the caller', async () => {
    server.answerWith(json(200, { assets: [{ isin: 'DE000BASF111' }] }));
    const schema = z.object({ assets: z.array(z.object({ isin: z.string() })) });
    const { assets } = await listAssets(client(), requestor, schema, { limit: 3 });
    expect(assets).toEqual([{ isin: 'DE000BASF111' }]);
    await listAssets(client(), requestor, schema);
    expect(server.requests.map(({ url }) => url)).toEqual(['/traditional/assets?limit=3', '/traditional/assets']);
    expect(server.requests[0]?.headers['requestor-id']).toBe(requestor);
  });

  it.each([0, 1.5])('sends nothing with the limit %d', async (limit) => {
    server.answerWith(json(200, {}));
    const error = await errorOf(PlatformInputError, listAssets(client(), requestor, z.unknown(), { limit }));
    expect(error.problems[0]).toMatch(/^limit: /);
    expect(server.requests).toHaveLength(0);
  });
});

describe('sections 3.3 and 4, Cancel order', () => {
  it.each([
    ['200 with a body', json(200, { orderId: 'x' })],
    ['202 with none', empty(202)],
    ['204', empty(204)],
  ])('accepts the answer %s', async (_, respond) => {
    server.answerWith(respond);
    await cancelOrder(client(), requestor, 'order 1/x?y');
    expect(server.requests[0]).toMatchObject({ method: 'DELETE', url: '/traditional/orders/order%201%2Fx%3Fy' });
    expect(server.requests[0]?.headers['requestor-id']).toBe(requestor);
  });

  it('takes the page of a proxy for no success', async () => {
    server.answerWith((_, response) => response.writeHead(200).end('<html>Log in</html>'));
    const error = await errorOf(PlatformSchemaError, cancelOrder(client(), requestor, 'order'));
    expect(error).toMatchObject({ operation: 'Cancel order', fields: ['the body'] });
  });

  it.each(['', '.', '..', '\ud800'])('sends nothing for the order %j', async (orderId) => {
    server.answerWith(empty(202));
    const error = await errorOf(PlatformInputError, cancelOrder(client(), requestor, orderId));
    expect(error.problems).toEqual([expect.stringMatching(/^orderId: must .*\(section 4\)$/)]);
    expect(server.requests).toHaveLength(0);
  });
});

describe('section 4, Get trade invoice', () => {
  it('returns the document byte for byte, and accepts any type', async () => {
    const pdf = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0x0d, 0x0a]);
    server.answerWith((_, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf));
    const { contentType, content } = await getTradeInvoice(client(), requestor, 'execution-1');
    expect(contentType).toBe('application/pdf');
    expect(Buffer.from(content)).toEqual(pdf);
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/traditional/orders/trade-invoice/execution-1' });
    expect(server.requests[0]?.headers).toMatchObject({ 'requestor-id': requestor, accept: '*/*' });
  });

  it('reads Not Found until the document exists (section 8)', async () => {
    server.answerWith(inTurn(json(404, {}), empty(200)));
    await expect(getTradeInvoice(client(), requestor, 'x')).rejects.toMatchObject({ condition: 'NOT_FOUND' });
    expect((await getTradeInvoice(client(), requestor, 'x')).contentType).toBeUndefined();
  });

  it.each(['', '..', 'x'.repeat(256)])('sends nothing for the execution %j', async (executionId) => {
    server.answerWith(empty(200));
    const error = await errorOf(PlatformInputError, getTradeInvoice(client(), requestor, executionId));
    expect(error.problems[0]).toMatch(/^executionId: must/);
    expect(server.requests).toHaveLength(0);
  });
});
