import { describe, expect, it } from 'vitest';
import { checkSettings } from '#infra/read-settings.ts';
import { createProfileControl } from '#sandbox/aws/profile-control.ts';

const registeredEventTypes = ['TRANSFER_NOTIFICATION'];
const onHold = { status: 'ON_HOLD', after: 'PENDING', final: false, from: ['PENDING'], to: ['FILLED'] };

/** The control API of functions that have these variables. */
function startControl() {
  const variables = new Map([['REGISTERED_EVENT_TYPES', JSON.stringify(registeredEventTypes)]]);
  const control = createProfileControl(() => ({
    variable: (name) => variables.get(name),
    setVariable: (name, value) => void variables.set(name, value),
  }));
  const put = async (profile: unknown) => {
    const answer = await control.request('/platform-profile', { method: 'PUT', body: JSON.stringify(profile) });
    return { status: answer.status, body: await answer.json() };
  };
  return { variables, put };
}

/** Whether a deployment takes the profile. */
function isDeployable(platformProfile: unknown): boolean {
  const platform = { baseUrl: 'https://api.platform.example', authUrl: 'https://auth.platform.example' };
  try {
    checkSettings('production', { platform, platformProfile, registeredEventTypes });
    return true;
  } catch {
    return false;
  }
}

const statuses = (order: object) => ({ statuses: { order: [{ ...onHold, ...order }] } });

describe('sandbox aws: the platform profile over the control API', () => {
  it.each<[string, object]>([
    ['pageSize', { pageSize: 0 }],
    ['foo', { foo: 1 }],
    ['places', { places: { UNKNOWN_NOTIFICATION: { kind: 'order' } } }],
    ['statuses.order.0.status', statuses({ status: 'FILLED' })],
    ['statuses.order.0.from', statuses({ from: ['NOWHERE'] })],
    ['statuses.order.0.to', statuses({ final: true, after: 'SETTLED' })],
    [
      'all of it',
      { eventTypes: Array.from({ length: 100 }, (_, index) => `TRANSFER_NOTIFICATION_${index}`.padEnd(60, 'X')) },
    ],
    ['registeredEventTypes', { eventTypes: ['PROXY_NOTIFICATION'] }],
  ])('refuses a profile that a deployment refuses, and names the fault: %s', async (field, profile) => {
    const { variables, put } = startControl();
    expect(isDeployable(profile)).toBe(false);
    const message = expect.stringContaining(`\n  ${field}: `);
    expect(await put(profile)).toEqual({ status: 400, body: { message } });
    expect([...variables.keys()]).toEqual(['REGISTERED_EVENT_TYPES']);
  });

  it('gives the functions a profile that a deployment takes, and the parts that only some functions have', async () => {
    const profile = {
      pageSize: 50,
      places: { TRANSFER_NOTIFICATION: { kind: 'transfer', id: ['ref'] } },
      ...statuses({}),
    };
    const { variables, put } = startControl();
    expect(isDeployable(profile)).toBe(true);
    expect(await put(profile)).toMatchObject({ status: 200, body: profile });
    const read = (name: string) => JSON.parse(variables.get(name) ?? '');
    expect(read('PLATFORM_PROFILE')).toMatchObject(profile);
    expect(read('PLACES')).toEqual(profile.places);
    expect(read('DECLARED_STATUSES')).toEqual(profile.statuses);
    expect(read('EVENT_TYPES')).toHaveLength(28);
  });
});
