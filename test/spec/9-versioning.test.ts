import { describe, expect, it } from 'vitest';
import { useContract } from './contract.ts';

const contract = useContract();

describe('9.1: paths carry no version prefix', () => {
  it('is so of every path of the API', async () => {
    const { body } = await contract().call('GET', '/openapi.json');
    const paths = Object.keys((body as { paths: object }).paths);
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) expect(path).not.toMatch(/^\/v\d/);
  });

  it('makes a path with one Not Found', async () => {
    expect((await contract().call('GET', '/v1/webhooks')).status).toBe(404);
  });
});

describe('9.2: the description of the webhooks is labelled version 1.0', () => {
  it('is the version of the OpenAPI document', async () => {
    const { body } = await contract().call('GET', '/openapi.json');
    expect(body).toMatchObject({ openapi: '3.1.0', info: { version: '1.0' } });
  });
});
