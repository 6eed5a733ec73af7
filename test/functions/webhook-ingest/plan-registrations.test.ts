import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isDrifted,
  isPending,
  isRotated,
  type PlanOptions,
  planRegistrations,
  type WantedRegistrations,
  webhookDataOf,
} from '#functions/webhook-ingest/plan-registrations.ts';
import type { Webhook } from '#shared/platform/webhooks.ts';
import {
  firstSecret,
  header,
  secondSecret,
  someOptions,
  someWanted,
  someWebhooks,
  thirdSecret,
  wantedWith,
  webhook,
  webhooksUrl,
} from './registrations.ts';

const [proxies, transfers] = ['PROXY_NOTIFICATION', 'TRANSFER_NOTIFICATION'] as const;

/** What is planned for the transfers, where the platform has this webhook and all else is well. */
function planFor(change: Partial<Webhook>, wanted = wantedWith(), options: PlanOptions = {}) {
  const webhooks = [webhook(proxies), webhook(transfers, change)];
  const [other, planned] = planRegistrations(wanted, { webhooks, missing: [] }, options).webhooks;
  expect(other).toMatchObject({ eventType: proxies });
  return planned;
}

describe('section 2.1: every configured event type at a URL of its own, with the secret header', () => {
  it('is registered like this', () => {
    expect(webhookDataOf(wantedWith(), transfers)).toEqual({
      eventType: transfers,
      url: `${webhooksUrl}/${transfers}`,
      headers: [{ name: header, value: secondSecret }],
    });
  });

  it('is created where there is none', () => {
    const { webhooks } = planRegistrations(wantedWith(), { webhooks: [webhook(proxies)], missing: [transfers] });
    expect(webhooks).toEqual([
      { eventType: proxies, action: 'unchanged' },
      { eventType: transfers, action: 'create', isKnown: true },
    ]);
  });

  it('is created, and may be refused, where the platform does not seem to know it', () => {
    const { webhooks } = planRegistrations(wantedWith(), { webhooks: [], missing: [proxies] });
    expect(webhooks.map((planned) => planned.action === 'create' && planned.isKnown)).toEqual([true, false]);
  });

  it('is created where the platform does not say what is missing', () => {
    const { webhooks } = planRegistrations(wantedWith(), { webhooks: [], missing: undefined });
    expect(webhooks.map((planned) => planned.action === 'create' && planned.isKnown)).toEqual([true, true]);
  });
});

describe('design: drift of a webhook of ours is found, and named without a value', () => {
  it.each([
    ['nothing', {}, []],
    ['the header in other letters', { headers: [{ name: header.toUpperCase(), value: secondSecret }] }, []],
    ['a URL that is the same, written otherwise', { url: `HTTPS://OURS.example:443/webhooks/${transfers}` }, []],
    ['the URL of another event type', { url: `${webhooksUrl}/${proxies}` }, ['url']],
    ['a URL elsewhere, with our secret', { url: 'https://former.example/x' }, ['url']],
    ['what is no URL, with our secret', { url: '' }, ['url']],
    ['no headers', { headers: undefined }, ['header name', 'header value']],
    ['headers that are null', { headers: null }, ['header name', 'header value']],
    ['the secret in a header of another name', { headers: [{ name: 'X-Old', value: secondSecret }] }, ['header name']],
    ['another value', { headers: [{ name: header, value: thirdSecret }] }, ['header value']],
    ['the previous secret', { headers: [{ name: header, value: firstSecret }] }, ['previous secret']],
    [
      'one header more',
      {
        headers: [
          { name: 'X-More', value: '' },
          { name: header, value: secondSecret },
        ],
      },
      ['other headers'],
    ],
    [
      'the header twice',
      {
        headers: [
          { name: header, value: secondSecret },
          { name: header, value: firstSecret },
        ],
      },
      ['other headers'],
    ],
    [
      'all of it',
      { url: `${webhooksUrl}/x`, headers: [{ name: 'X-More', value: 'canary' }] },
      ['url', 'header name', 'header value', 'other headers'],
    ],
  ] as const)('%s', (_, change, differences) => {
    const wanted = wantedWith({ secret: { current: secondSecret, previous: firstSecret } });
    const planned = planFor(change as Partial<Webhook>, wanted);
    expect(planned).toEqual(
      differences.length === 0
        ? { eventType: transfers, action: 'unchanged' }
        : { eventType: transfers, action: 'update', differences },
    );
    expect(JSON.stringify(planned)).not.toMatch(/1111|2222|3333|canary/);
  });

  it('a rotation is no drift, and whatever else differs is', () => {
    const wanted = wantedWith({ secret: { current: secondSecret, previous: firstSecret } });
    const headers = [{ name: header, value: firstSecret }];
    const drifted = [planFor({ headers }, wanted), planFor({ headers, url: `${webhooksUrl}/x` }, wanted)];
    expect(drifted.map((planned) => planned !== undefined && isDrifted(planned))).toEqual([false, true]);
  });
});

describe('design: what is not ours is left alone', () => {
  const foreign = {
    url: 'https://somebody.else/hooks/canary?key=canary',
    headers: [{ name: header, value: 'canary' }],
  };

  it('and named by no more than where it leads', () => {
    const planned = planFor(foreign);
    expect(planned).toEqual({ eventType: transfers, action: 'not ours', origin: 'https://somebody.else' });
  });

  it.each([
    'http://ours.example/webhooks/TRANSFER_NOTIFICATION',
    'https://ours.example:8443/webhooks/TRANSFER_NOTIFICATION',
    'https://ours.example/webhooksx/TRANSFER_NOTIFICATION',
    'https://ours.example/webhooks',
    'https://ours.example.else/webhooks/TRANSFER_NOTIFICATION',
    'https://ours.example@somebody.else/webhooks/TRANSFER_NOTIFICATION',
    'no URL',
  ])('%s is not below our URL', (url) => {
    expect(planFor({ ...foreign, url })).toMatchObject({ action: 'not ours' });
  });

  it('is ours with the secret that a rotation is about to retire, and not with one that it has retired', () => {
    const headers = [{ name: header, value: firstSecret }];
    const rotating = wantedWith({ secret: { current: secondSecret, previous: firstSecret } });
    expect(planFor({ ...foreign, headers }, rotating)).toMatchObject({ action: 'update' });
    expect(planFor({ ...foreign, headers })).toMatchObject({ action: 'not ours' });
  });

  it('unless somebody says so, by event type', () => {
    expect(planFor(foreign, wantedWith(), { takeOver: [proxies] })).toMatchObject({ action: 'not ours' });
    expect(planFor(foreign, wantedWith(), { takeOver: [transfers] })).toEqual({
      eventType: transfers,
      action: 'take over',
      differences: ['url', 'header value'],
    });
  });

  it('is not even spoken of where the event type is not configured, but for its type', () => {
    const webhooks = [webhook('USER_NOTIFICATION', foreign)];
    const plan = planRegistrations(wantedWith({ eventTypes: [] }), { webhooks, missing: ['NEW', 'no name'] });
    expect(plan).toEqual({ webhooks: [], notConfigured: ['USER_NOTIFICATION', 'NEW'] });
  });

  it('nor is a webhook whose type no call can name', () => {
    const webhooks = [webhook('a/b'), webhook('')];
    expect(planRegistrations(wantedWith({ eventTypes: [] }), { webhooks, missing: [] })).toEqual({
      webhooks: [],
      notConfigured: [],
    });
  });
});

describe('design: what is ours and no longer configured stays, since nobody else keeps its news', () => {
  const wanted = wantedWith({ eventTypes: [proxies] });

  it('is shown', () => {
    expect(planFor({}, wanted)).toEqual({ eventType: transfers, action: 'obsolete' });
  });

  it('goes on to be authenticated', () => {
    const headers = [{ name: header, value: thirdSecret }];
    expect(planFor({ headers }, wanted)).toMatchObject({ action: 'update', differences: ['header value'] });
  });

  it('is removed where somebody says so, by event type', () => {
    expect(planFor({}, wanted, { remove: [transfers] })).toEqual({ eventType: transfers, action: 'remove' });
    expect(planFor({}, wanted, { remove: [proxies] })).toMatchObject({ action: 'obsolete' });
  });
});

/** A platform that does what it is told. */
function apply(wanted: WantedRegistrations, webhooks: readonly Webhook[], options: PlanOptions): readonly Webhook[] {
  const after = new Map(webhooks.map((one) => [one.eventType, one]));
  for (const planned of planRegistrations(wanted, { webhooks, missing: undefined }, options).webhooks) {
    const { eventType } = planned;
    if (planned.action === 'remove') after.delete(eventType);
    else if (isPending(planned)) after.set(eventType, webhook(eventType, webhookDataOf(wanted, eventType)));
  }
  return [...after.values()];
}

describe('design: a plan like cdk diff, then apply', () => {
  it('leaves nothing to do once it was applied', () => {
    fc.assert(
      fc.property(someWanted, someWebhooks, someOptions, (wanted, webhooks, options) => {
        const after = apply(wanted, webhooks, options);
        const plan = planRegistrations(wanted, { webhooks: after, missing: undefined }, options);
        expect(plan.webhooks.filter(isPending)).toEqual([]);
        expect(isRotated(plan)).toBe(true);
      }),
    );
  });

  it('has every configured event type delivered to us then, but for what is not ours', () => {
    fc.assert(
      fc.property(someWanted, someWebhooks, someOptions, (wanted, webhooks, options) => {
        const after = apply(wanted, webhooks, options);
        const plan = planRegistrations(wanted, { webhooks: after, missing: undefined }, options);
        for (const eventType of wanted.eventTypes) {
          const action = plan.webhooks.find((planned) => planned.eventType === eventType)?.action;
          expect(['unchanged', 'not ours']).toContain(action);
          if (action === 'unchanged')
            expect(after).toContainEqual(expect.objectContaining({ url: `${webhooksUrl}/${eventType}` }));
        }
      }),
    );
  });

  it('touches nothing that is not ours, and removes nothing, unless it was told to', () => {
    fc.assert(
      fc.property(someWanted, someWebhooks, (wanted, webhooks) => {
        const after = apply(wanted, webhooks, {});
        for (const one of webhooks) {
          const still = after.find(({ eventType }) => eventType === one.eventType);
          const secrets = [wanted.secret.current, wanted.secret.previous];
          const isOurs =
            one.url.startsWith(`${webhooksUrl}/`) || one.headers?.some(({ value }) => secrets.includes(value));
          if (isOurs) expect(still).toBeDefined();
          else expect(still).toBe(one);
        }
      }),
    );
  });

  it('leaves no webhook with the previous secret', () => {
    fc.assert(
      fc.property(someWanted, someWebhooks, someOptions, (wanted, webhooks, options) => {
        const values = apply(wanted, webhooks, options).flatMap(({ headers }) => headers ?? []);
        expect(values.map(({ value }) => value)).not.toContain(wanted.secret.previous ?? 'none');
      }),
    );
  });
});

describe('design, rotating the secret: whether every webhook of ours has the current one', () => {
  it.each([
    ['all of them', {}, {}, true],
    ['not one with the previous', { headers: [{ name: header, value: firstSecret }] }, {}, false],
    ['not one with another', { headers: [{ name: header, value: thirdSecret }] }, {}, false],
    ['not one that is about to be removed', {}, { remove: [transfers] }, false],
    ['whatever one has that is not ours', { url: 'https://somebody.else', headers: [] }, {}, true],
  ] as const)('%s', (_, change, options, expected) => {
    const secret = { current: secondSecret, previous: firstSecret };
    const eventTypes = 'remove' in options ? [proxies] : [proxies, transfers];
    const webhooks = [webhook(proxies), webhook(transfers, change as Partial<Webhook>)];
    const plan = planRegistrations(wantedWith({ secret, eventTypes }), { webhooks, missing: [] }, options);
    expect(isRotated(plan)).toBe(expected);
  });

  it('also where the platform has two for one event type', () => {
    const secret = { current: secondSecret, previous: firstSecret };
    const stale = webhook(transfers, { headers: [{ name: header, value: firstSecret }] });
    const webhooks = [webhook(transfers), stale, webhook(transfers)];
    expect(isRotated(planRegistrations(wantedWith({ secret }), { webhooks, missing: [] }))).toBe(false);
  });
});
