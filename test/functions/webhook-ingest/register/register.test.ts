import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hour, type RegisterFixture, startRegisterFixture } from './register-fixture.ts';
import { firstSecret, header, thirdSecret, webhook, webhooksUrl } from './registrations.ts';

const [proxies, transfers, users] = ['PROXY_NOTIFICATION', 'TRANSFER_NOTIFICATION', 'USER_NOTIFICATION'] as const;
const eventTypes = [proxies, transfers, users];
const unchanged = eventTypes.map((eventType) => `  ${eventType}: unchanged`);
const headers = [{ name: header, value: firstSecret }];
const foreign = { url: 'https://another.example/canary?key=canary', headers: [{ name: 'X-Key', value: 'canary' }] };
let fixture: RegisterFixture;

beforeAll(async () => {
  fixture = await startRegisterFixture(eventTypes);
});
afterAll(() => fixture.close());
beforeEach(() => fixture.reset());

/** Registers what should be, and then what the test says. */
function registered(...others: readonly ReturnType<typeof webhook>[]): void {
  for (const eventType of eventTypes) fixture.platform.webhooks.set(eventType, webhook(eventType, { headers }));
  for (const other of others) fixture.platform.webhooks.set(other.eventType, other);
}

const urls = () => [...fixture.platform.webhooks.values()].map(({ url }) => url);
const measured = () =>
  fixture
    .lines()
    .objects()
    .find((line) => '_aws' in line);

describe('section 2.1: every configured event type is registered', () => {
  it('registers each type at its own URL, with the secret header', async () => {
    const { plan, failed, rotation } = await fixture.run({ mode: 'apply' });
    expect(plan).toEqual(eventTypes.map((eventType) => `+ ${eventType}: create`));
    expect([failed, rotation]).toEqual([[], 'No rotation is under way.']);
    for (const eventType of eventTypes)
      expect(fixture.platform.webhooks.get(eventType)).toMatchObject({ url: `${webhooksUrl}/${eventType}`, headers });
    expect(measured()).toMatchObject({ RegistrationsMissing: 3, RegistrationsRepaired: 3, RegistrationsFailed: 0 });
  });

  it('does nothing once every type is registered', async () => {
    registered();
    const { plan } = await fixture.run({ mode: 'apply' });
    expect(plan).toEqual(unchanged);
    expect(fixture.platform.changes).toEqual([]);
    const none = { RegistrationsMissing: 0, RegistrationsDrifted: 0, RegistrationsRepaired: 0 };
    expect(measured()).toMatchObject({ ...none, RegistrationsForeign: 0, RegistrationsFailed: 0 });
  });
});

describe('drift of registrations', () => {
  it('finds and repairs any difference', async () => {
    registered(
      webhook(proxies, { headers: [{ name: header, value: thirdSecret }] }),
      webhook(users, { url: `${webhooksUrl}/x`, headers }),
    );
    fixture.platform.webhooks.delete(transfers);
    const { plan } = await fixture.run({ mode: 'apply' });
    expect(plan).toEqual([`~ ${proxies}: update (header value)`, `+ ${transfers}: create`, `~ ${users}: update (url)`]);
    expect(measured()).toMatchObject({ RegistrationsMissing: 1, RegistrationsDrifted: 2, RegistrationsRepaired: 3 });
    expect((await fixture.run({ mode: 'plan' })).plan).toEqual(unchanged);
  });

  it('promise 8: reports drift without a secret, a URL of others, or what the platform answered', async () => {
    registered(webhook(proxies, foreign), webhook(users, { headers: [{ name: header, value: thirdSecret }] }));
    fixture.platform.knownTypes.delete(users);
    const report = await fixture.run({ mode: 'apply' });
    const written = `${fixture.lines().text()}${JSON.stringify(report)}`;
    expect(written).toContain(users);
    expect(written).not.toMatch(/1111|3333|canary|unknown event type/);
  });
});

describe('a webhook whose event type cannot be read', () => {
  it('leaves undecided which types have no webhook: none is registered, and all others are repaired', async () => {
    registered(webhook(users, { url: `${webhooksUrl}/x`, headers }));
    const { webhooks } = fixture.platform;
    webhooks.delete(transfers);
    webhooks.set('odd', { ...webhook(proxies, foreign), eventType: [] as never });
    const { plan, failed } = await fixture.run({ mode: 'apply' });
    expect(plan[0]).toBe(`~ ${users}: update (url)`);
    expect(plan[1]).toMatch(`! ${transfers}: not registered`);
    expect(failed).toEqual([expect.stringContaining(transfers)]);
    expect(fixture.platform.changes).toEqual([`POST ${users}`]);
    expect(measured()).toMatchObject({ RegistrationsFailed: 1, RegistrationsMissing: 0 });
  });
});

describe('a plan and its application', () => {
  it('changes nothing in the mode plan, and says what is to be done', async () => {
    registered(webhook(proxies, foreign), webhook('OLD_NOTIFICATION', { headers }));
    fixture.platform.webhooks.delete(transfers);
    const before = urls();
    const { plan } = await fixture.run({ mode: 'plan', remove: ['OLD_NOTIFICATION'] });
    expect(plan).toEqual([
      '- OLD_NOTIFICATION: remove',
      `+ ${transfers}: create`,
      `! ${proxies}: leads to https://another.example, not ours: take it over to replace it`,
      `  ${users}: unchanged`,
    ]);
    expect([urls(), fixture.platform.changes, measured()]).toEqual([before, [], undefined]);
  });

  it('removes an event type that is no longer configured when an operator asks for it', async () => {
    registered(webhook('OLD_NOTIFICATION', { headers }));
    await fixture.run({ mode: 'apply' });
    expect(fixture.platform.changes).toEqual([]);
    await fixture.run({ mode: 'apply', remove: ['OLD_NOTIFICATION'] });
    expect(fixture.platform.changes).toEqual(['DELETE OLD_NOTIFICATION']);
  });

  it.each([
    [{}, 'Invoke register with {"mode"'],
    [{ mod: 'plan' }, 'Invoke register with {"mode"'],
    [{ mode: 'plan', take_over: [transfers] }, 'Invoke register with {"mode"'],
    [{ mode: 'apply', takeOver: true }, 'Invoke register with {"mode"'],
    [{ mode: 'apply', takeOver: ['canary'] }, 'Invoke register with {"mode"'],
    [null, 'Invoke register with {"mode"'],
    [{ mode: 'apply', takeOver: ['OLD_NOTIFICATION'] }, 'OLD_NOTIFICATION cannot be taken over: configure it first.'],
    [{ mode: 'apply', remove: [transfers] }, `${transfers} cannot be removed: it is configured`],
  ])('refuses the request %j, and changes nothing', async (event, message) => {
    fixture.emulators.watch(() => {
      throw new Error('Nothing should be read.');
    });
    await expect(fixture.run(event)).rejects.toThrow(
      expect.objectContaining({ name: 'RegisterRequestError', message: expect.stringContaining(message) }),
    );
    expect(fixture.platform.changes).toEqual([]);
  });
});

describe('a webhook of another system', () => {
  it('takes over the webhooks that an operator names, and no other', async () => {
    registered(webhook(transfers, foreign), webhook(users, foreign));
    await fixture.run({ mode: 'apply', takeOver: [transfers] });
    expect(fixture.platform.changes).toEqual([`POST ${transfers}`]);
    expect(fixture.platform.webhooks.get(transfers)).toMatchObject({ headers });
    expect(fixture.platform.webhooks.get(users)).toMatchObject(foreign);
    expect(measured()).toMatchObject({ RegistrationsForeign: 1 });
  });
});

describe('an event type that fails holds up no other', () => {
  it('tries an event type that the platform does not know, and counts no failure', async () => {
    fixture.platform.knownTypes.delete(transfers);
    const { plan, failed } = await fixture.run({ mode: 'apply' });
    expect(plan).toContain(`+ ${transfers}: create, although the platform does not seem to know it`);
    expect(failed).toEqual([]);
    expect(fixture.platform.changes.toSorted()).toEqual([`POST ${proxies}`, `POST ${users}`]);
    expect(measured()).toMatchObject({ RegistrationsMissing: 2, RegistrationsFailed: 0 });
    fixture.platform.knownTypes.add(transfers);
    await fixture.run({ mode: 'apply' });
    expect(urls()).toContain(`${webhooksUrl}/${transfers}`);
  });

  it('registers an event type that the list of missing ones does not have', async () => {
    fixture.platform.saysMissing = false;
    const { failed } = await fixture.run({ mode: 'apply' });
    expect(failed).toEqual([]);
    expect(urls()).toHaveLength(3);
  });

  it('names an event type that is refused, with the reason', async () => {
    registered(webhook(users, { headers: [] }));
    fixture.platform.webhooks.delete(proxies);
    fixture.platform.knownTypes.delete(users);
    const { failed } = await fixture.run({ mode: 'apply' });
    expect(failed).toEqual([`${users}: Register webhook: the platform answered 400 (BAD_REQUEST).`]);
    expect(fixture.platform.changes).toEqual([`POST ${proxies}`]);
    expect(measured()).toMatchObject({ RegistrationsRepaired: 1, RegistrationsFailed: 1 });
    expect(fixture.lines().objects()).toContainEqual(
      expect.objectContaining({ level: 'WARN', eventType: users, reason: 'update' }),
    );
  });

  it('names an event type that is not listed as it was registered', async () => {
    registered(webhook(users, { headers: [] }));
    fixture.platform.onCall = ({ when, request }) => {
      if (when === 'after' && request.method === 'POST') registered(webhook(users, { headers: [] }));
    };
    const { failed } = await fixture.run({ mode: 'apply' });
    expect(failed).toEqual([`${users}: it is not listed as it was registered.`]);
  });

  it('fails the run and changes nothing when the platform does not list its webhooks', async () => {
    fixture.platform.onCall = ({ request }) => {
      if (request.url.startsWith('/webhooks?')) throw new Error('The platform is down.');
    };
    await expect(fixture.run({ mode: 'apply' })).rejects.toThrow(
      expect.objectContaining({ name: 'PlatformNetworkError', operation: 'List webhooks' }),
    );
    expect(fixture.platform.changes).toEqual([]);
  });

  it('fails the run before any call when the secret cannot be read', async () => {
    await fixture.emulators.putSecret('{"current":"canary"}');
    let calls = 0;
    fixture.platform.onCall = () => {
      calls += 1;
    };
    await expect(fixture.run({ mode: 'apply' })).rejects.toThrow(
      expect.objectContaining({ name: 'WebhookSecretError' }),
    );
    expect(calls).toBe(0);
  });
});

describe('a rotation does nothing before its time', () => {
  it('begins a rotation by itself when the secret has become old', async () => {
    registered();
    fixture.clock.time += 90 * 24 * hour - 1;
    expect((await fixture.run({ mode: 'apply' })).rotation).toBe('No rotation is under way.');
    fixture.clock.time += 1;
    expect((await fixture.run({ mode: 'plan' })).rotation).toBe('A rotation of the secret is due.');
    expect(await fixture.secrets.read()).toMatchObject({ current: firstSecret, previous: undefined });
    await fixture.run({ mode: 'apply' });
    const [current] = fixture.made;
    expect(await fixture.secrets.read()).toMatchObject({ current, previous: firstSecret });
    expect(fixture.platform.webhooks.get(transfers)?.headers).toEqual([{ name: header, value: current }]);
  });

  it('counts the registrations of a rotation as no drift', async () => {
    registered();
    await fixture.run({ mode: 'rotate' });
    expect(fixture.platform.changes).toHaveLength(3);
    expect(measured()).toMatchObject({ RegistrationsDrifted: 0, RegistrationsRepaired: 0, RegistrationsFailed: 0 });
  });

  it('waits for nothing in a run that begins no rotation', async () => {
    const before = fixture.clock.time;
    await fixture.run({ mode: 'apply' });
    expect(fixture.clock.time).toBe(before);
  });
});
