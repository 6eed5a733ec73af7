import { describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import { eventTypes } from '#shared/platform/profile/event-type.ts';
import {
  deleteWebhook,
  getWebhook,
  listMissingWebhooks,
  listWebhooks,
  registerWebhook,
} from '#shared/platform/resources/webhooks.ts';
import { useContract } from './contract.ts';
import { refused } from './refused.ts';

const contract = useContract();

const eventType = 'TRANSFER_NOTIFICATION';
const url = 'https://partner.example/webhooks/TRANSFER_NOTIFICATION';
const header = (number: number) => ({ name: `x-header-${number}`, value: String(number) });
const headers = (count: number) => Array.from({ length: count }, (_, index) => header(index));

/** What the client would not send. */
const registerAnyway = (body: unknown) => contract().call('POST', '/webhooks', { body });

describe('2.1 createdOn: a webhook has it, and it cannot be written', () => {
  it('stays when the webhook is registered anew', async () => {
    const { client, advance } = contract();
    await registerWebhook(client, { eventType, url });
    const first = await getWebhook(client, eventType);
    await advance(60);
    await registerWebhook(client, { eventType, url: `${url}/new` });
    expect((await getWebhook(client, eventType))?.createdOn).toBe(first?.createdOn);
    expect(first?.createdOn).toMatch(/^2026-11-21T08:00:00/);
  });

  it('is refused in a registration', async () => {
    expect(await registerAnyway({ eventType, url, createdOn: '2026-11-21T08:00:00Z' })).toEqual(
      refused(400, 'createdOn'),
    );
  });
});

describe('2.1 modifiedOn: a webhook has it, and it cannot be written', () => {
  it('is later after another registration', async () => {
    const { client, advance } = contract();
    await registerWebhook(client, { eventType, url });
    const first = await getWebhook(client, eventType);
    await advance(60);
    await registerWebhook(client, { eventType, url });
    const second = await getWebhook(client, eventType);
    expect(compareTimestamps(second?.modifiedOn ?? '', first?.modifiedOn ?? '')).toBeGreaterThan(0);
  });

  it('is refused in a registration', async () => {
    expect(await registerAnyway({ eventType, url, modifiedOn: '2026-11-21T08:00:00Z' })).toEqual(
      refused(400, 'modifiedOn'),
    );
  });
});

describe('2.1 eventType: required', () => {
  it('is refused where it is missing, or is none', async () => {
    expect(await registerAnyway({ url })).toEqual(refused(400, 'eventType'));
    expect(await registerAnyway({ eventType: 'WEATHER_NOTIFICATION', url })).toEqual(refused(400, 'eventType'));
  });

  it('is refused by the client before it is sent', async () => {
    await expect(registerWebhook(contract().client, { eventType: 'weather', url })).rejects.toThrow(
      /eventType: .*section 2\.1/,
    );
  });
});

describe('2.1 url: must be HTTPS', () => {
  it.each(['http://partner.example/hook', 'ftp://partner.example', 'partner.example', ''])(
    'is not %j, says the client',
    async (other) => {
      const call = registerWebhook(contract().client, { eventType, url: other });
      await expect(call).rejects.toBeInstanceOf(PlatformInputError);
      await expect(call).rejects.toThrow(/url: .*HTTPS/);
    },
  );

  it.each(['http://partner.example/hook', 'ftp://partner.example', 'partner.example', ''])(
    'is not %j, says the platform',
    async (other) => {
      expect(await registerAnyway({ eventType, url: other })).toEqual(refused(400, 'url'));
      expect(await getWebhook(contract().client, eventType)).toBeUndefined();
    },
  );
});

describe('2.1 headers: at most 5', () => {
  it('are none, and then absent', async () => {
    await registerWebhook(contract().client, { eventType, url });
    expect(await getWebhook(contract().client, eventType)).not.toHaveProperty('headers');
  });

  it('are five', async () => {
    await registerWebhook(contract().client, { eventType, url, headers: headers(5) });
    expect((await getWebhook(contract().client, eventType))?.headers).toEqual(headers(5));
  });

  it('are not six', async () => {
    await expect(registerWebhook(contract().client, { eventType, url, headers: headers(6) })).rejects.toThrow(
      /headers: .*5.*section 2\.1/,
    );
    expect(await registerAnyway({ eventType, url, headers: headers(6) })).toEqual(refused(400, 'headers'));
  });
});

describe('2.1 Header name: no white space', () => {
  it.each(['', 'two words', ' x', '\t', 'x\n'])('is not %j', async (name) => {
    const data = { eventType, url, headers: [{ name, value: 'a' }] };
    await expect(registerWebhook(contract().client, data)).rejects.toThrow(/headers\.0\.name: .*white space/);
    expect(await registerAnyway(data)).toEqual(refused(400, 'headers.0.name'));
  });
});

describe('2.1 Header value: required', () => {
  it('is missing', async () => {
    expect(await registerAnyway({ eventType, url, headers: [{ name: 'x' }] })).toEqual(refused(400, 'headers.0.value'));
  });

  it('is kept as it is', async () => {
    const header = { name: 'x-secret', value: ' a "b"; c ' };
    await registerWebhook(contract().client, { eventType, url, headers: [header] });
    expect((await getWebhook(contract().client, eventType))?.headers).toEqual([header]);
  });
});

describe('2.1 WebhookData: eventType, url and headers register a webhook', () => {
  it('creates one, and replaces it: one per event type', async () => {
    const { client } = contract();
    await registerWebhook(client, { eventType, url, headers: headers(1) });
    await registerWebhook(client, { eventType, url: `${url}/new` });
    expect(await Array.fromAsync(listWebhooks(client))).toEqual([
      { eventType, url: `${url}/new`, createdOn: expect.any(String), modifiedOn: expect.any(String) },
    ]);
  });

  it('is deleted by its event type, twice as well as once', async () => {
    const { client } = contract();
    await registerWebhook(client, { eventType, url });
    await deleteWebhook(client, eventType);
    await deleteWebhook(client, eventType);
    expect(await getWebhook(client, eventType)).toBeUndefined();
  });
});

describe('2.1 WebhookMissing: event types without a webhook', () => {
  it('are all at first, and all but one then', async () => {
    const { client } = contract();
    expect(await listMissingWebhooks(client)).toEqual(eventTypes);
    await registerWebhook(client, { eventType, url });
    expect(await listMissingWebhooks(client)).toEqual(eventTypes.filter((type) => type !== eventType));
  });

  it('are objects with eventType', async () => {
    const { body } = await contract().call('GET', '/webhooks-missing');
    expect(body).toEqual(eventTypes.map((type) => ({ eventType: type })));
  });
});

describe('2.1 EventTypeEnum: 28 words', () => {
  it('can each be registered', async () => {
    const { client } = contract();
    for (const type of eventTypes) await registerWebhook(client, { eventType: type, url: `https://p.example/${type}` });
    const registered = await Array.fromAsync(listWebhooks(client));
    expect(registered.map((one) => one.eventType)).toEqual(eventTypes);
    expect(registered).toHaveLength(28);
  });
});
