import { beforeEach, describe, expect, it } from 'vitest';
import { createProxies, type Proxies } from '#sandbox/platform/access/proxies.ts';
import { createRequestors, type Requestors, type RequestorTarget } from '#sandbox/platform/access/requestors.ts';
import { createIdentifiers } from '#sandbox/platform/core/identifiers.ts';
import { createRandom } from '#sandbox/platform/core/random.ts';
import { createSettings, type SettingsStore } from '#sandbox/platform/core/settings-store.ts';

const statuses: Record<string, string> = { anna: 'ACTIVE', ben: 'ACTIVE', carla: 'ACTIVE', new: 'CREATED' };

let settings: SettingsStore;
let proxies: Proxies;
let requestors: Requestors;
beforeEach(() => {
  settings = createSettings({});
  proxies = createProxies({ newId: createIdentifiers(createRandom(1)) });
  requestors = createRequestors({ statusOf: (id) => statuses[id], proxies, settings });
});

const authorize = (requestorId: string, naturalPersonId: string, rest: Partial<RequestorTarget> = {}) =>
  requestors.authorize(requestorId, { naturalPersonId, ...rest });
const notActive = expect.objectContaining({ status: 400, errorCode: 'VALIDATION_ERROR' });
const invalid = expect.objectContaining({ status: 400, message: 'Requestor-ID invalid', errorCode: undefined });

describe('sandbox platform: the requestor must be ACTIVE (section 5, rule 3)', () => {
  it.each(['RECEIVED', 'CREATED', 'PENDING', 'REVIEW', 'INVALID', 'REJECTED', 'SUSPENDED', 'BLOCKED', 'DECEASED'])(
    'rejects a requestor that is %s with VALIDATION_ERROR, for itself and for others',
    (status) => {
      requestors = createRequestors({ statusOf: () => status, proxies, settings });
      proxies.create('anna', 'ben');
      expect(() => authorize('anna', 'anna')).toThrow(notActive);
      expect(() => authorize('anna', 'ben')).toThrow(notActive);
      expect(() => requestors.requireActive('anna')).toThrow(notActive);
    },
  );

  it('rejects an unknown requestor with VALIDATION_ERROR', () => {
    expect(() => authorize('nobody', 'anna')).toThrow(notActive);
  });

  it('accepts any status of the person that the requestor acts for', () => {
    proxies.create('anna', 'new');
    expect(() => authorize('anna', 'new')).not.toThrow();
  });
});

describe('sandbox platform: direct action (section 5, rule 4)', () => {
  it('authorizes the person itself', () => {
    expect(() => authorize('anna', 'anna')).not.toThrow();
    expect(requestors.mayActFor('anna', 'anna')).toBe(true);
  });
});

describe('sandbox platform: proxy action (section 5, rule 5)', () => {
  it('authorizes a requestor with an ACTIVE proxy', () => {
    proxies.create('anna', 'ben');
    expect(() => authorize('anna', 'ben')).not.toThrow();
  });

  it('applies a proxy in one direction only', () => {
    proxies.create('anna', 'ben');
    proxies.create('ben', 'carla');
    expect(() => authorize('ben', 'anna')).toThrow(invalid);
    expect(() => authorize('anna', 'carla')).toThrow(invalid);
  });

  it('rejects a requestor whose proxy is INACTIVE', () => {
    const { proxyId } = proxies.create('anna', 'ben');
    expect(proxies.deactivate(proxyId)).toMatchObject({ proxyId, status: 'INACTIVE' });
    expect(() => authorize('anna', 'ben')).toThrow(invalid);
  });

  it.each([
    ['first', 0],
    ['second', 1],
  ])('keeps the other of two proxies when the %s ends', (_, ended) => {
    const both = [proxies.create('anna', 'ben'), proxies.create('anna', 'ben')];
    proxies.deactivate(both[ended]?.proxyId ?? '');
    expect(() => authorize('anna', 'ben')).not.toThrow();
    proxies.deactivate(both[1 - ended]?.proxyId ?? '');
    expect(() => authorize('anna', 'ben')).toThrow(invalid);
  });
});

describe('sandbox platform: Requestor-ID invalid (section 5, rule 6)', () => {
  it('rejects an ACTIVE person without a proxy', () => {
    expect(() => authorize('anna', 'ben')).toThrow(invalid);
  });
});

describe('sandbox platform: setting acceptSelfBeforeActive', () => {
  it.each(['RECEIVED', 'CREATED', 'PENDING'])(
    'lets a person that is %s act in its own identification by default',
    (status) => {
      requestors = createRequestors({ statusOf: () => status, proxies, settings });
      expect(() => authorize('new', 'new', { isIdentification: true })).not.toThrow();
      settings.change({ acceptSelfBeforeActive: false });
      expect(() => authorize('new', 'new', { isIdentification: true })).toThrow(notActive);
    },
  );

  it.each(['SUSPENDED', 'BLOCKED', 'INVALID', 'REJECTED', 'DECEASED'])(
    'rejects a person that is %s in its own identification',
    (status) => {
      requestors = createRequestors({ statusOf: () => status, proxies, settings });
      settings.change({ acceptSelfBeforeActive: true });
      expect(() => authorize('new', 'new', { isIdentification: true })).toThrow(notActive);
    },
  );

  it('rejects a person that is not ACTIVE in all other actions, and for other persons', () => {
    settings.change({ acceptSelfBeforeActive: true });
    proxies.create('new', 'anna');
    expect(() => authorize('new', 'new')).toThrow(notActive);
    expect(() => authorize('new', 'anna', { isIdentification: true })).toThrow(notActive);
  });
});
