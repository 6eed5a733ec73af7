import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { magicPersons } from '#sandbox/platform/core/magic-values.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { keepSent, registerWebhooks, startPlatform, startTime } from '#test/sandbox/platform/platform-fixture.ts';

const triggered = z.object({ ids: z.record(z.string(), z.string()), deliveryId: z.string().optional() });

function start() {
  const { sent, fetch } = keepSent();
  const works: (() => void)[] = [];
  const platform = startPlatform({
    settings: { unlistedNotifications: true },
    fetch,
    repeat: (_, work) => {
      works.push(work);
      return () => void works.splice(works.indexOf(work), 1);
    },
  });
  registerWebhooks(platform);
  const trigger = (type: string, set: object = {}) =>
    platform.request('POST', '/control/triggers', { body: { type, set } });
  const tick = () => {
    for (const work of works) work();
  };
  return { ...platform, sent, trigger, tick };
}

describe('sandbox platform: triggers', () => {
  it.each([
    ['person.onboarded', 'ACTIVE'],
    ['order.filled', 'FILLED'],
    ['transfer.settled', 'PROCESSED'],
    ['transfer.received', 'PROCESSED'],
  ])('ends %s with a notification of %s about the answered id', async (type, status) => {
    const platform = start();
    const { ids } = triggered.parse((await platform.trigger(type)).body);
    await platform.clock.advance(60);
    const field = `${type.split('.')[0]}Id`.replace('personId', 'naturalPersonId');
    const about = platform.sent.filter(({ body }) => body[field] === ids[field] && ids[field] !== undefined);
    expect(about.at(-1)?.body).toMatchObject({ status });
    expect(platform.errors).toEqual([]);
  });

  it('uses the fields that are set, and names an invalid one', async () => {
    const platform = start();
    const { ids } = triggered.parse((await platform.trigger('order.filled', { quantity: 3 })).body);
    expect(platform.orders.get(ids['orderId'] ?? '')).toMatchObject({ quantity: 30_000n });
    for (const [type, set] of [
      ['order.filled', { quantity: 'many' }],
      ['transfer.settled', { amount: 'much' }],
      ['person.onboarded', { birthDay: 'today' }],
      ['person.onboarded', { shoeSize: 42 }],
    ] as const) {
      const { status, body } = await platform.trigger(type, set);
      expect([status, body]).toEqual([400, expect.objectContaining({ message: expect.stringMatching(/^\w+: /) })]);
    }
  });

  it('sends a realistic webhook of each event type, with an id, a time and the fields that are set', async () => {
    const platform = start();
    for (const { eventType } of platform.registrations.list()) {
      const { body } = await platform.trigger(eventType, { status: 'PENDING' });
      const { ids, deliveryId } = triggered.parse(body);
      expect(deliveryId).toMatch(/^dlv-\d+$/);
      expect(Object.keys(ids).length).toBeGreaterThan(0);
      expect(platform.sent.at(-1)).toMatchObject({
        eventType,
        body: { ...ids, status: 'PENDING', modifiedOn: expect.stringMatching(/^2026-11-21T08:00/) },
      });
    }
    expect(platform.sent).toHaveLength(platform.registrations.list().length);
  });
});

describe('sandbox platform: personas', () => {
  it('has an ordinary one, and one for each magic last name, created as by a partner', async () => {
    const platform = start();
    const { body } = await platform.request('GET', '/control/personas');
    const personas = z.array(z.object({ persona: z.string(), lastName: z.string() })).parse(body);
    expect(personas.map(({ lastName }) => lastName)).toEqual(['Muster', ...Object.keys(magicPersons)]);
    const created = await platform.request('POST', '/control/personas', {
      body: { persona: 'rejected', externalId: 'c-1' },
    });
    const { naturalPersonId } = z.object({ naturalPersonId: z.uuid() }).parse(created.body);
    expect(platform.persons.get(naturalPersonId)).toMatchObject({ lastName: 'Magic-Rejected', externalId: 'c-1' });
    await platform.clock.advance(60);
    expect(platform.statusOf(naturalPersonId)).toBe('REJECTED');
  });

  it('makes up an onboarding whose person Drawbridge accepts', async () => {
    const { body } = await start().request('GET', '/control/personas/suspended/onboarding');
    expect(body).toMatchObject({ person: { lastName: 'Magic-Suspended' } });
    expect(checkRequest(body, startTime, platformProfile.parse({}))).toMatchObject({ request: body });
  });
});

describe('sandbox platform: traffic', () => {
  const traffic = (platform: ReturnType<typeof start>, perSecond: number) =>
    platform.request('PUT', '/control/traffic', { body: { perSecond } });

  it('onboards, trades and transfers until its rate is 0', async () => {
    const platform = start();
    await traffic(platform, 5);
    for (let time = 0; time < 60; time += 1) platform.tick();
    await platform.clock.advance(60);
    const { body } = await platform.request('GET', '/control/traffic');
    const begun = z.object({ onboardings: z.int(), orders: z.int(), transfers: z.int() }).parse(body);
    for (const number of Object.values(begun)) expect(number).toBeGreaterThan(3);
    const statuses = new Set(platform.sent.map(({ body: { status } }) => status));
    expect([...statuses]).toEqual(expect.arrayContaining(['ACTIVE', 'SETTLED', 'REJECTED', 'PROCESSED']));
    await traffic(platform, 0);
    const before = platform.orders.all().length;
    platform.tick();
    expect(platform.orders.all()).toHaveLength(before);
    expect(platform.errors).toEqual([]);
  });
});
