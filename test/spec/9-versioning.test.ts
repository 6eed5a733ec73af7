import { describe, expect, it } from 'vitest';
import { useContract } from './contract.ts';

const contract = useContract();

describe('9.1: paths carry no version prefix', () => {
  it('has no version in any path of the API', async () => {
    const { body } = await contract().call('GET', '/openapi.json');
    const paths = Object.keys((body as { paths: object }).paths);
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) expect(path).not.toMatch(/^\/v\d/);
  });

  it('answers Not Found to a path with a version', async () => {
    expect((await contract().call('GET', '/v1/webhooks')).status).toBe(404);
  });
});

describe('9.2: the description of the webhooks is labelled version 1.0', () => {
  it('labels the OpenAPI document with version 1.0', async () => {
    const { body } = await contract().call('GET', '/openapi.json');
    expect(body).toMatchObject({ openapi: '3.1.0', info: { version: '1.0' } });
  });
});
