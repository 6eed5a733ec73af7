import { describe, expect, it } from 'vitest';
import { useContract } from './contract.ts';

const contract = useContract();
const body = JSON.stringify({ eventType: 'TRANSFER_NOTIFICATION', url: 'https://partner.example/' });

describe('4 JSON: bodies have Content-Type application/json', () => {
  it.each(['application/json', 'application/json; charset=utf-8'])('accepts a body of the type %s', async (type) => {
    expect((await contract().call('POST', '/webhooks', { body, headers: { 'content-type': type } })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/merge-patch+json',
    'application/vnd.api+json',
  ])('refuses a body of the type %s', async (type) => {
    const answer = await contract().call('POST', '/webhooks', { body, headers: { 'content-type': type } });
    expect(answer).toMatchObject({ status: 400, body: { responseType: 'BAD_REQUEST' } });
  });

  it.each(['{', '', 'null', '[]', '"text"', '7'])('refuses a body that is no object: %j', async (text) => {
    const answer = await contract().call('POST', '/webhooks', { body: text });
    expect(answer).toMatchObject({ status: 400, body: { responseType: 'BAD_REQUEST' } });
  });

  it('answers with the Content-Type application/json', async () => {
    const { headers } = await contract().call('GET', '/webhooks');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });
});
