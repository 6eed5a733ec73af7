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

describe('section 5, Requestor-ID, rule 5: proxies over the control API', () => {
  it('one is created, ACTIVE at once', async () => {
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

  it('of ids in any case', async () => {
    await create({ representativeId: representativeId.toUpperCase(), naturalPersonId });
    expect(platform.requestors.mayActFor(representativeId, naturalPersonId)).toBe(true);
  });

  it('one is deactivated, and stays in the list', async () => {
    const { body: proxy } = await create({ representativeId, naturalPersonId });
    const { proxyId } = proxy as { proxyId: string };
    const inactive = { ...(proxy as object), status: 'INACTIVE' };
    for (let time = 0; time < 2; time += 1)
      expect(await platform.request('DELETE', `/control/proxies/${proxyId}`)).toEqual({ status: 200, body: inactive });
    expect(await list()).toEqual([inactive]);
    expect(platform.requestors.mayActFor(representativeId, naturalPersonId)).toBe(false);
  });

  it('one that there is not is not found', async () => {
    expect(await platform.request('DELETE', `/control/proxies/${representativeId}`)).toEqual(
      refusal(404, 'NOT_FOUND', 'There is no such proxy.'),
    );
  });

  it.each([
    ['representativeId', { naturalPersonId }],
    ['naturalPersonId', { representativeId, naturalPersonId: 'somebody' }],
    ['status', { representativeId, naturalPersonId, status: 'ACTIVE' }],
  ])('what is none is refused: %s', async (field, body) => {
    expect(await create(body)).toEqual(refusal(400, 'BAD_REQUEST', expect.stringContaining(field)));
    expect(await list()).toEqual([]);
  });
});
