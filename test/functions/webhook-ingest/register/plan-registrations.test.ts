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
} from '#functions/webhook-ingest/register/plan-registrations.ts';
import type { Webhook } from '#shared/platform/resources/webhooks.ts';
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

/** What is planned for the transfers, if the platform has this webhook and all else is well. */
function planFor(change: Partial<Webhook>, wanted = wantedWith(), options: PlanOptions = {}) {
  const webhooks = [webhook(proxies), webhook(transfers, change)];
  const [other, planned] = planRegistrations(wanted, { webhooks, missing: [] }, options).webhooks;
  expect(other).toMatchObject({ eventType: proxies });
  return planned;
}

describe('section 2.1: every configured event type has a URL of its own and the secret header', () => {
  it('is registered with the URL of its event type and the secret in the header', () => {
    expect(webhookDataOf(wantedWith(), transfers)).toEqual({
      eventType: transfers,
      url: `${webhooksUrl}/${transfers}`,
      headers: [{ name: header, value: secondSecret }],
    });
  });

  it('is created when the event type has no webhook', () => {
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

describe('drift of our webhook', () => {
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
  ] as const)('names the difference without a value: %s', (_, change, differences) => {
    const wanted = wantedWith({ secret: { current: secondSecret, previous: firstSecret } });
    const planned = planFor(change as Partial<Webhook>, wanted);
    expect(planned).toEqual(
      differences.length === 0
        ? { eventType: transfers, action: 'unchanged' }
        : { eventType: transfers, action: 'update', differences },
    );
  });

  it('ignores a rotation and names every other difference', () => {
    const wanted = wantedWith({ secret: { current: secondSecret, previous: firstSecret } });
    const headers = [{ name: header, value: firstSecret }];
    const drifted = [planFor({ headers }, wanted), planFor({ headers, url: `${webhooksUrl}/x` }, wanted)];
    expect(drifted.map((planned) => planned !== undefined && isDrifted(planned))).toEqual([false, true]);
  });
});

describe('a webhook of another system', () => {
  const foreign = {
    url: 'https://another.example/hooks/canary?key=canary',
    headers: [{ name: header, value: 'canary' }],
  };

  it('is named by no more than where it leads', () => {
    const planned = planFor(foreign);
    expect(planned).toEqual({ eventType: transfers, action: 'not ours', origin: 'https://another.example' });
  });

  it('is ours with the secret that a rotation is about to retire, and not with one that it has retired', () => {
    const headers = [{ name: header, value: firstSecret }];
    const rotating = wantedWith({ secret: { current: secondSecret, previous: firstSecret } });
    expect(planFor({ ...foreign, headers }, rotating)).toMatchObject({ action: 'update' });
    expect(planFor({ ...foreign, headers })).toMatchObject({ action: 'not ours' });
  });

  it('is replaced only when an operator names its event type', () => {
    expect(planFor(foreign, wantedWith(), { takeOver: [proxies] })).toMatchObject({ action: 'not ours' });
    expect(planFor(foreign, wantedWith(), { takeOver: [transfers] })).toEqual({
      eventType: transfers,
      action: 'take over',
      differences: ['url', 'header value'],
    });
  });

  it('is no drift, also when it is taken over', () => {
    const takenOver = planFor(foreign, wantedWith(), { takeOver: [transfers] });
    expect([planFor(foreign), takenOver].map((planned) => planned !== undefined && isDrifted(planned))).toEqual([
      false,
      false,
    ]);
  });

  it('is named only by its type when the event type is not configured', () => {
    const webhooks = [webhook('USER_NOTIFICATION', foreign)];
    const plan = planRegistrations(wantedWith({ eventTypes: [] }), { webhooks, missing: ['NEW', 'no name'] });
    expect(plan).toEqual({ webhooks: [], notConfigured: ['USER_NOTIFICATION', 'NEW'] });
  });

  it('is left out of the plan when no call can name its type', () => {
    const webhooks = [webhook('a/b'), webhook('')];
    expect(planRegistrations(wantedWith({ eventTypes: [] }), { webhooks, missing: [] })).toEqual({
      webhooks: [],
      notConfigured: [],
    });
  });
});

describe('our webhook that is no longer configured', () => {
  const wanted = wantedWith({ eventTypes: [proxies] });

  it('is shown in the plan', () => {
    expect(planFor({}, wanted)).toEqual({ eventType: transfers, action: 'obsolete' });
  });

  it('stays authenticated for receive', () => {
    const headers = [{ name: header, value: thirdSecret }];
    expect(planFor({ headers }, wanted)).toMatchObject({ action: 'update', differences: ['header value'] });
  });

  it('is removed only when an operator names its event type', () => {
    expect(planFor({}, wanted, { remove: [transfers] })).toEqual({ eventType: transfers, action: 'remove' });
    expect(planFor({}, wanted, { remove: [proxies] })).toMatchObject({ action: 'obsolete' });
  });
});

function sentWebhook({ eventType, ...change }: ReturnType<typeof webhookDataOf>): Webhook {
  return webhook(eventType, change);
}

/** A platform that does what it is asked. */
function apply(wanted: WantedRegistrations, webhooks: readonly Webhook[], options: PlanOptions): readonly Webhook[] {
  const after = new Map<string, Webhook>(webhooks.map((one) => [one.eventType, one]));
  for (const planned of planRegistrations(wanted, { webhooks, missing: undefined }, options).webhooks) {
    const { eventType } = planned;
    if (planned.action === 'remove') after.delete(eventType);
    else if (isPending(planned)) after.set(eventType, sentWebhook(webhookDataOf(wanted, eventType)));
  }
  return [...after.values()];
}

describe('applying a plan', () => {
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

  it('delivers every configured event type to us, except what belongs to another system', () => {
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

  it('changes and removes nothing of another system without the consent of an operator', () => {
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

describe('whether each of our webhooks has the current secret', () => {
  it.each([
    ['all of them', {}, {}, true],
    ['not one with the previous', { headers: [{ name: header, value: firstSecret }] }, {}, false],
    ['not one with another', { headers: [{ name: header, value: thirdSecret }] }, {}, false],
    ['not one that is about to be removed', {}, { remove: [transfers] }, false],
    ['a webhook of another system', { url: 'https://another.example', headers: [] }, {}, true],
  ] as const)('is decided for %s', (_, change, options, expected) => {
    const secret = { current: secondSecret, previous: firstSecret };
    const eventTypes = 'remove' in options ? [proxies] : [proxies, transfers];
    const webhooks = [webhook(proxies), webhook(transfers, change as Partial<Webhook>)];
    const plan = planRegistrations(wantedWith({ secret, eventTypes }), { webhooks, missing: [] }, options);
    expect(isRotated(plan)).toBe(expected);
  });

  it('is not said while a webhook cannot be read, which leaves the missing types undecided', () => {
    const found = { webhooks: [webhook(proxies)], missing: [transfers], hasUnreadable: true };
    const plan = planRegistrations(wantedWith(), found);
    expect(plan.webhooks.at(-1)).toEqual({ eventType: transfers, action: 'undecided' });
    expect(isRotated(plan)).toBe(false);
  });

  it('is decided where the platform has two webhooks for one event type', () => {
    const secret = { current: secondSecret, previous: firstSecret };
    const stale = webhook(transfers, { headers: [{ name: header, value: firstSecret }] });
    const webhooks = [webhook(transfers), stale, webhook(transfers)];
    expect(isRotated(planRegistrations(wantedWith({ secret }), { webhooks, missing: [] }))).toBe(false);
  });
});
