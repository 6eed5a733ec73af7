import { beforeEach, describe, expect, it } from 'vitest';
import { refusal, startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

const representativeId = 'a5c1e0f4-1c7b-4e62-9d3a-0b8f6d2c7e91';
const naturalPersonId = 'b6d2f1a5-2d8c-4f73-8e4b-1c9a7e3d8fa2';

let platform: TestPlatform;
beforeEach(() => {
  platform = startPlatform();
});

const create = (body: unknown) => platform.request('POST', '/control/proxies', { body });
const list = async () => (await platform.request('GET', '/control/proxies')).body;

describe('sandbox platform: proxies over the control API (section 5, rule 5)', () => {
  it('creates a proxy that is ACTIVE immediately', async () => {
    const { status, body } = await create({ representativeId, naturalPersonId });
    const proxy = {
      proxyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      representativeId,
      naturalPersonId,
      status: 'ACTIVE',
    };
    expect([status, body]).toEqual([200, proxy]);
    expect(await list()).toEqual([body]);
    expect(platform.requestors.mayActFor(representativeId, naturalPersonId)).toBe(true);
  });

  it('accepts ids in upper and lower case', async () => {
    await create({ representativeId: representativeId.toUpperCase(), naturalPersonId });
    expect(platform.requestors.mayActFor(representativeId, naturalPersonId)).toBe(true);
  });

  it('deactivates a proxy and keeps it in the list', async () => {
    const { body: proxy } = await create({ representativeId, naturalPersonId });
    const { proxyId } = proxy as { proxyId: string };
    const inactive = { ...(proxy as object), status: 'INACTIVE' };
    for (let time = 0; time < 2; time += 1)
      expect(await platform.request('DELETE', `/control/proxies/${proxyId}`)).toEqual({ status: 200, body: inactive });
    expect(await list()).toEqual([inactive]);
    expect(platform.requestors.mayActFor(representativeId, naturalPersonId)).toBe(false);
  });

  it('answers with 404 for an unknown proxy', async () => {
    expect(await platform.request('DELETE', `/control/proxies/${representativeId}`)).toEqual(
      refusal(404, 'NOT_FOUND', 'There is no such proxy.'),
    );
  });

  it.each([
    ['representativeId', { naturalPersonId }],
    ['naturalPersonId', { representativeId, naturalPersonId: 'somebody' }],
    ['status', { representativeId, naturalPersonId, status: 'ACTIVE' }],
  ])('rejects an invalid proxy: %s', async (field, body) => {
    expect(await create(body)).toEqual(refusal(400, 'BAD_REQUEST', expect.stringContaining(field)));
    expect(await list()).toEqual([]);
  });
});
