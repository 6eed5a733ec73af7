import { beforeEach, describe, expect, it } from 'vitest';
import { createRequestors, type RequestorTarget } from '#sandbox/platform/access/requestors.ts';
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

  it('deactivates a proxy and keeps it in the list', async () => {
    const { body: proxy } = await create({ representativeId, naturalPersonId });
    const { proxyId } = proxy as { proxyId: string };
    const inactive = { ...(proxy as object), status: 'INACTIVE' };
    for (let time = 0; time < 2; time += 1)
      expect(await platform.request('DELETE', `/control/proxies/${proxyId}`)).toEqual({ status: 200, body: inactive });
    expect(await list()).toEqual([inactive]);
    expect(platform.requestors.mayActFor(representativeId, naturalPersonId)).toBe(false);
  });

  it.each([
    ['first', 0],
    ['second', 1],
  ])('keeps the other of two proxies when the %s ends', (_, ended) => {
    const { proxies, requestors } = platform;
    const both = [0, 1].map(() => proxies.create(representativeId, naturalPersonId));
    proxies.deactivate(both[ended]?.proxyId ?? '');
    expect(requestors.mayActFor(representativeId, naturalPersonId)).toBe(true);
    proxies.deactivate(both[1 - ended]?.proxyId ?? '');
    expect(requestors.mayActFor(representativeId, naturalPersonId)).toBe(false);
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

describe('sandbox platform: setting acceptSelfBeforeActive', () => {
  const notActive = expect.objectContaining({ status: 400, errorCode: 'VALIDATION_ERROR' });

  /** Whether a person of this status may act for itself, or for this one. */
  function authorize(status: string, acceptSelfBeforeActive: boolean, target: Partial<RequestorTarget>) {
    const { proxies, settings } = platform;
    settings.change({ acceptSelfBeforeActive });
    const requestors = createRequestors({ statusOf: () => status, proxies, settings });
    return () => requestors.authorize(representativeId, { naturalPersonId: representativeId, ...target });
  }

  it.each(['RECEIVED', 'CREATED', 'PENDING'])('lets a person that is %s act in its own identification', (status) => {
    expect(platform.settings.read().acceptSelfBeforeActive).toBe(true);
    expect(authorize(status, true, { isIdentification: true })).not.toThrow();
    expect(authorize(status, false, { isIdentification: true })).toThrow(notActive);
  });

  it.each(['SUSPENDED', 'BLOCKED', 'INVALID', 'REJECTED', 'DECEASED'])(
    'rejects a person that is %s in its own identification',
    (status) => expect(authorize(status, true, { isIdentification: true })).toThrow(notActive),
  );

  it('rejects a person that is not ACTIVE in all other actions, and for other persons', () => {
    platform.proxies.create(representativeId, naturalPersonId);
    expect(authorize('CREATED', true, {})).toThrow(notActive);
    expect(authorize('CREATED', true, { naturalPersonId, isIdentification: true })).toThrow(notActive);
  });
});
