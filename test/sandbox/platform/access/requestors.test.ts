import { beforeEach, describe, expect, it } from 'vitest';
import { createProxies, type Proxies } from '#sandbox/platform/access/proxies.ts';
import { createRequestors, type Requestors, type RequestorTarget } from '#sandbox/platform/access/requestors.ts';
import { createIdentifiers } from '#sandbox/platform/core/identifiers.ts';
import { createSettings, type SettingsStore } from '#sandbox/platform/core/settings.ts';
import { createRandom } from '#sandbox/random.ts';

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

describe('section 5, Requestor-ID, rule 3: the person must have status ACTIVE', () => {
  it.each(['RECEIVED', 'CREATED', 'PENDING', 'REVIEW', 'INVALID', 'REJECTED', 'SUSPENDED', 'BLOCKED', 'DECEASED'])(
    '%s is rejected with VALIDATION_ERROR, for itself as for another',
    (status) => {
      requestors = createRequestors({ statusOf: () => status, proxies, settings });
      proxies.create('anna', 'ben');
      expect(() => authorize('anna', 'anna')).toThrow(notActive);
      expect(() => authorize('anna', 'ben')).toThrow(notActive);
      expect(() => requestors.requireActive('anna')).toThrow(notActive);
    },
  );

  it('one that there is not is rejected so, too', () => {
    expect(() => authorize('nobody', 'anna')).toThrow(notActive);
  });

  it('only the one who acts must be: the other may have any status', () => {
    proxies.create('anna', 'new');
    expect(() => authorize('anna', 'new')).not.toThrow();
  });
});

describe('section 5, Requestor-ID, rule 4: direct action', () => {
  it('the person itself is authorized', () => {
    expect(() => authorize('anna', 'anna')).not.toThrow();
    expect(requestors.mayActFor('anna', 'anna')).toBe(true);
  });
});

describe('section 5, Requestor-ID, rule 5: proxy action', () => {
  it('is authorized with an ACTIVE proxy', () => {
    proxies.create('anna', 'ben');
    expect(() => authorize('anna', 'ben')).not.toThrow();
  });

  it('which goes in one direction, and no further', () => {
    proxies.create('anna', 'ben');
    proxies.create('ben', 'carla');
    expect(() => authorize('ben', 'anna')).toThrow(invalid);
    expect(() => authorize('anna', 'carla')).toThrow(invalid);
  });

  it('not with one that is INACTIVE', () => {
    const { proxyId } = proxies.create('anna', 'ben');
    expect(proxies.deactivate(proxyId)).toMatchObject({ proxyId, status: 'INACTIVE' });
    expect(() => authorize('anna', 'ben')).toThrow(invalid);
  });

  it.each([
    ['first', 0],
    ['second', 1],
  ])('of two, one is left when the %s ends', (_, ended) => {
    const both = [proxies.create('anna', 'ben'), proxies.create('anna', 'ben')];
    proxies.deactivate(both[ended]?.proxyId ?? '');
    expect(() => authorize('anna', 'ben')).not.toThrow();
    proxies.deactivate(both[1 - ended]?.proxyId ?? '');
    expect(() => authorize('anna', 'ben')).toThrow(invalid);
  });
});

describe('section 5, Requestor-ID, rule 6: whoever may not is rejected with `Requestor-ID invalid`', () => {
  it('an ACTIVE person without a proxy', () => {
    expect(() => authorize('anna', 'ben')).toThrow(invalid);
  });
});

describe('platform facts: an environment may let a person that is not ACTIVE yet act in its own identification', () => {
  it.each(['RECEIVED', 'CREATED', 'PENDING'])(
    'by default and unless acceptSelfBeforeActive is false, one that is %s',
    (status) => {
      requestors = createRequestors({ statusOf: () => status, proxies, settings });
      expect(() => authorize('new', 'new', { isIdentification: true })).not.toThrow();
      settings.change({ acceptSelfBeforeActive: false });
      expect(() => authorize('new', 'new', { isIdentification: true })).toThrow(notActive);
    },
  );

  it.each(['SUSPENDED', 'BLOCKED', 'INVALID', 'REJECTED', 'DECEASED'])('but not one that is %s', (status) => {
    requestors = createRequestors({ statusOf: () => status, proxies, settings });
    settings.change({ acceptSelfBeforeActive: true });
    expect(() => authorize('new', 'new', { isIdentification: true })).toThrow(notActive);
  });

  it('nor in anything else, nor for another', () => {
    settings.change({ acceptSelfBeforeActive: true });
    proxies.create('new', 'anna');
    expect(() => authorize('new', 'new')).toThrow(notActive);
    expect(() => authorize('new', 'anna', { isIdentification: true })).toThrow(notActive);
  });
});
