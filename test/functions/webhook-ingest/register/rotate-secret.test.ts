import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReceive } from '#functions/webhook-ingest/receive/receive.ts';
import { createWebhookSecret } from '#shared/secrets/webhook-secret.ts';
import { hour, type RegisterFixture, rotation, startRegisterFixture, timeLimit } from './register-fixture.ts';
import { firstSecret, header, thirdSecret } from './registrations.ts';

const [proxies, transfers] = ['PROXY_NOTIFICATION', 'TRANSFER_NOTIFICATION'] as const;
const eventTypes = [proxies, transfers];
let fixture: RegisterFixture;

beforeAll(async () => {
  fixture = await startRegisterFixture(eventTypes);
});
afterAll(() => fixture.close());

/** A function instance of `receive`: what it has read of the secret stays, as it does on Lambda. */
type Instance = (secret: string) => Promise<number>;

function startInstance(): Instance {
  const { secretsManager, secretId } = fixture.emulators;
  const now = () => new Date(fixture.clock.time);
  const { log } = fixture.lines();
  const receive = createReceive({
    isAllowedSource: () => true,
    onRejected: () => undefined,
    secretHeader: header.toLowerCase(),
    secret: createWebhookSecret({ secretsManager, secretId, now }),
    queue: { send: async () => undefined },
    log,
  });
  return async (secret) => {
    const answer = await receive({
      headers: { [header.toLowerCase()]: secret },
      pathParameters: { eventType: transfers },
      isBase64Encoded: false,
      requestContext: { requestId: 'request', timeEpoch: now().getTime() },
    });
    return answer.statusCode;
  };
}

/** The secrets that the platform sends with deliveries that begin now, or began while it had them registered. */
type Load = {
  /** Delivers with every secret that may still be under way, to every instance, and to one that is new. */
  readonly deliver: () => Promise<void>;
  readonly statuses: number[];
};

/**
 * Deliveries at every moment. An attempt may come again, with the headers of before, for as long as the overlap after
 * the webhook was registered again.
 */
function startLoad(): Load {
  const lastSeen = new Map<string, number>();
  const instances: Instance[] = [];
  const statuses: number[] = [];

  async function deliver(): Promise<void> {
    const { clock, platform } = fixture;
    for (const { headers } of platform.webhooks.values())
      for (const { value } of headers ?? []) lastSeen.set(value, clock.time);
    instances.push(startInstance());
    for (const [secret, seenAt] of lastSeen) {
      if (clock.time - seenAt >= rotation.overlap) continue;
      for (const instance of instances) statuses.push(await instance(secret));
    }
    // The first ones, whose caches are old, and the latest.
    instances.splice(2, instances.length - 5);
  }

  return { deliver, statuses };
}

let load: Load;

/** Lets the platform deliver before and after each call that register makes, until it "crashes" at one of them. */
function disturb(crashAt = Number.POSITIVE_INFINITY): { readonly moments: string[] } {
  const moments: string[] = [];
  let isDelivering = false;
  const moment = async (name: string) => {
    // Deliveries read the secret too: that is no call of register.
    if (isDelivering) return;
    if (moments.length >= crashAt) throw new Error('The process is gone.');
    moments.push(name);
    isDelivering = true;
    await load.deliver();
    isDelivering = false;
    if (moments.length >= crashAt) throw new Error('The process is gone.');
  };
  fixture.emulators.watch(({ when, operation }) => moment(`${when} ${operation}`));
  fixture.platform.onCall = ({ when, request }) => moment(`${when} ${request.method} ${request.url}`);
  return { moments };
}

function calm(): void {
  fixture.emulators.unwatch();
  fixture.platform.onCall = () => undefined;
}

beforeEach(async () => {
  calm();
  await fixture.reset();
  await fixture.run({ mode: 'apply' });
  load = startLoad();
});

const secretNow = () => fixture.secrets.read();
const secretsRegistered = () =>
  [...fixture.platform.webhooks.values()].flatMap(({ headers }) => (headers ?? []).map(({ value }) => value));

/** Another program registers it with the previous secret. */
function loseSecret(eventType: string): void {
  const webhook = fixture.platform.webhooks.get(eventType);
  const headers = [{ name: header, value: firstSecret }];
  if (webhook !== undefined) fixture.platform.webhooks.set(eventType, { ...webhook, headers });
}

/** Hourly runs, until the rotation is over. */
async function runHourly(most = 10): Promise<void> {
  for (let count = 0; count < most && (await secretNow()).previous !== undefined; count += 1) {
    fixture.clock.time += hour;
    disturb();
    await fixture.run({ mode: 'apply' });
    calm();
  }
}

describe('rotating the secret when another run has changed it', () => {
  it('reports no step that is not stored', async () => {
    const secrets = { read: fixture.secrets.read, replace: async () => 'superseded' as const };
    await fixture.emulators.putSecret(JSON.stringify({ current: firstSecret, previous: thirdSecret }));
    const { rotation: said } = await fixture.run({ mode: 'apply' }, { secrets });
    expect(said).toBe('Another run has changed the secret: the next run continues with what is stored.');
  });
});

describe('rotating the secret: accept both, update every registration, retire the old one', () => {
  it('continues by itself once it has begun, and accepts every delivery at every moment', async () => {
    const { moments } = disturb();
    const { rotation: said } = await fixture.run({ mode: 'rotate' });
    calm();
    expect(said).toBe('Both secrets are accepted: every webhook has the new one from now on.');
    expect(secretsRegistered()).toEqual([fixture.made[0], fixture.made[0]]);
    expect(await secretNow()).toMatchObject({ current: fixture.made[0], previous: firstSecret });
    expect(moments).toEqual(expect.arrayContaining(['before PutSecretValue', 'after POST /webhooks']));

    await runHourly();
    expect(await secretNow()).toMatchObject({ current: fixture.made[0], previous: undefined, registeredOn: undefined });
    expect(load.statuses.length).toBeGreaterThan(100);
    expect(new Set(load.statuses)).toEqual(new Set([200]));
    fixture.clock.time += 5 * 60_000;
    expect(await startInstance()(firstSecret)).toBe(401);
  });

  it('waits until every instance of receive accepts the new one, before it registers it', async () => {
    const before = fixture.clock.time;
    const registeredAt: number[] = [];
    fixture.platform.onCall = ({ request }) => {
      if (request.method === 'POST') registeredAt.push(fixture.clock.time);
    };
    await fixture.run({ mode: 'rotate' });
    expect(Math.min(...registeredAt) - before).toBeGreaterThan(5_000);
  });

  it('continues a rotation that an operator began manually', async () => {
    await fixture.emulators.putSecret(JSON.stringify({ current: thirdSecret, previous: firstSecret }));
    await runHourly();
    expect(secretsRegistered()).toEqual([thirdSecret, thirdSecret]);
    expect(await secretNow()).toMatchObject({ current: thirdSecret, previous: undefined });
    expect(fixture.made).toEqual([]);
    expect(new Set(load.statuses)).toEqual(new Set([200]));
  });
});

describe('an operator shortens a rotation', () => {
  it('does not shorten the overlap below the time of a run, which may know nothing of the rotation', async () => {
    await fixture.run({ mode: 'rotate' });
    fixture.clock.time += timeLimit - 1;
    expect((await fixture.run({ mode: 'retire' })).rotation).toContain('Both secrets are accepted');
    fixture.clock.time += 1;
    expect((await fixture.run({ mode: 'retire' })).rotation).toBe('The previous secret is accepted no longer.');
  });
});

describe('promise 9: the next run completes a rotation that ended early', () => {
  it('completes it after a crash before or after any call, with every delivery accepted', async () => {
    const { moments } = disturb();
    await fixture.run({ mode: 'rotate' });
    expect(moments.length).toBeGreaterThan(20);
    for (let crashAt = 1; crashAt <= moments.length; crashAt += 1) {
      const place = `${moments[crashAt - 1]}, call ${crashAt}`;
      calm();
      await fixture.reset();
      await fixture.run({ mode: 'apply' });
      load = startLoad();
      disturb(crashAt);
      const died = await fixture.run({ mode: 'rotate' }).then(
        () => false,
        () => true,
      );
      calm();
      // What was asked of the platform for its missing webhooks may fail: each is tried then.
      if (!place.includes('webhooks-missing')) expect(died, place).toBe(true);
      await fixture.run({ mode: 'rotate' });
      await runHourly();
      const { current, previous } = await secretNow();
      expect([previous, current === firstSecret], place).toEqual([undefined, false]);
      expect(new Set(secretsRegistered()), place).toEqual(new Set([current]));
      expect(new Set(load.statuses), place).toEqual(new Set([200]));
    }
  });

  it.each([
    ['is retired', false],
    ['would be retired, had not a webhook lost the new one', true],
  ])('completes it after a crash at any call while the previous secret %s', async (_, isLost) => {
    let calls = Number.POSITIVE_INFINITY;
    for (let crashAt = 1; crashAt <= calls; crashAt += 1) {
      calm();
      await fixture.reset();
      await fixture.run({ mode: 'apply' });
      load = startLoad();
      await fixture.run({ mode: 'rotate' });
      fixture.clock.time += rotation.overlap;
      if (isLost) loseSecret(transfers);
      const { moments } = disturb(crashAt);
      await fixture.run({ mode: 'apply' }).catch(() => undefined);
      if (moments.length < crashAt) calls = moments.length;
      calm();
      await runHourly();
      expect(await secretNow()).toMatchObject({ current: fixture.made.at(-1), previous: undefined });
      expect(new Set(load.statuses)).toEqual(new Set([200]));
    }
    expect(calls).toBeGreaterThan(5);
  });
});

describe('a rotation that meets another run', () => {
  it('continues with one secret when two rotations begin', async () => {
    disturb();
    await Promise.all([fixture.run({ mode: 'rotate' }), fixture.run({ mode: 'rotate' })]);
    calm();
    const { current } = await secretNow();
    expect(fixture.made).toContain(current);
    expect(new Set(secretsRegistered())).toEqual(new Set([current]));
    await runHourly();
    expect(await secretNow()).toMatchObject({ current, previous: undefined });
    expect(new Set(load.statuses)).toEqual(new Set([200]));
  });

  it('lets a run that began before it register the previous secret once more, which is still accepted', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    fixture.platform.webhooks.delete(transfers);
    fixture.platform.onCall = ({ when, request }) => {
      if (when !== 'before' || request.method !== 'POST') return undefined;
      fixture.platform.onCall = () => undefined;
      hold();
      return released;
    };
    const stale = fixture.run({ mode: 'apply' });
    await held;
    await fixture.run({ mode: 'rotate' });
    expect(new Set(secretsRegistered())).toEqual(new Set([fixture.made[0]]));
    fixture.clock.time += timeLimit - 1;
    expect((await fixture.run({ mode: 'retire' })).rotation).toContain('Both secrets are accepted');
    release();
    await stale;
    expect(secretsRegistered()).toContain(firstSecret);
    await load.deliver();
    await runHourly();
    expect(new Set(secretsRegistered())).toEqual(new Set([fixture.made[0]]));
    expect(await secretNow()).toMatchObject({ previous: undefined });
    expect(new Set(load.statuses)).toEqual(new Set([200]));
  });
});
