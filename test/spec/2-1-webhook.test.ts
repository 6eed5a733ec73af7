import { describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
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

/** The 28 of section 2.1, written out of the specification: a misspelling in the product must fail. */
const eventTypes = [
  'CUSTOMER_NOTIFICATION',
  'NATURAL_PERSON_NOTIFICATION',
  'IDENTIFICATION_VERIFICATION_NOTIFICATION',
  'DOCUMENT_NOTIFICATION',
  'PARTNER_DOCUMENT_NOTIFICATION',
  'ONBOARDING_NOTIFICATION',
  'CUSTOMER_PRODUCT_NOTIFICATION',
  'LEGAL_ENTITY_SEARCH_NOTIFICATION',
  'LABELS_UPDATE_NOTIFICATION',
  'TRANSFER_NOTIFICATION',
  'DIGITAL_ASSET_ORDER_NOTIFICATION',
  'PROXY_NOTIFICATION',
  'BENEFICIAL_OWNER_NOTIFICATION',
  'USER_NOTIFICATION',
  'RE_TOKEN_PRICES',
  'STRATEGY_NOTIFICATION',
  'OFFBOARDING_NOTIFICATION',
  'LEGAL_ENTITY_NOTIFICATION',
  'LEGAL_REPRESENTATIVE_NOTIFICATION',
  'TRADITIONAL_ASSET_ORDER_NOTIFICATION',
  'PARTNER_NOTIFICATION',
  'JOINT_PERSON_NOTIFICATION',
  'TAX_EXEMPTION_ORDER_NOTIFICATION',
  'CORPORATE_ACTION_NOTIFICATION',
  'SAVINGS_PLANS_NOTIFICATION',
  'TOKENIZED_ASSET_ORDER_NOTIFICATION',
  'SAVINGS_PLANS_ORDER_NOTIFICATION',
  'VENDOR_EX_ANTE_DOCUMENT_READY_NOTIFICATION',
];

const eventType = 'TRANSFER_NOTIFICATION';
const url = 'https://partner.example/webhooks/TRANSFER_NOTIFICATION';
const header = (number: number) => ({ name: `x-header-${number}`, value: String(number) });
const headers = (count: number) => Array.from({ length: count }, (_, index) => header(index));

/** Registers what the client refuses to send. */
const registerAnyway = (body: unknown) => contract().call('POST', '/webhooks', { body });

describe('2.1 createdOn + 2.1 modifiedOn: a webhook has both, and they cannot be written', () => {
  it('keeps the first createdOn, and sets a later modifiedOn, at each registration', async () => {
    const { client, advance } = contract();
    await registerWebhook(client, { eventType, url });
    const first = await getWebhook(client, eventType);
    await advance(60);
    await registerWebhook(client, { eventType, url: `${url}/new` });
    const second = await getWebhook(client, eventType);
    expect(first?.createdOn).toMatch(/^2026-11-21T08:00:00/);
    expect(second?.createdOn).toBe(first?.createdOn);
    expect(compareTimestamps(second?.modifiedOn ?? '', first?.modifiedOn ?? '')).toBeGreaterThan(0);
  });

  it.each(['createdOn', 'modifiedOn'])('refuses a registration that writes %s', async (field) => {
    expect(await registerAnyway({ eventType, url, [field]: '2026-11-21T08:00:00Z' })).toEqual(refused(400, field));
  });
});

describe('2.1 EventTypeEnum: the words of section 2.1', () => {
  it('knows the 28 event types, and registers a webhook for each', async () => {
    const { client } = contract();
    for (const type of eventTypes) await registerWebhook(client, { eventType: type, url: `https://p.example/${type}` });
    const registered = await Array.fromAsync(listWebhooks(client));
    expect(registered.map((one) => one.eventType)).toEqual(eventTypes);
    expect(await listMissingWebhooks(client)).toEqual([]);
  });
});

describe('2.1 eventType: required, and a word that the platform knows', () => {
  it('refuses a missing and an unknown event type', async () => {
    expect(await registerAnyway({ url })).toEqual(refused(400, 'eventType'));
    expect(await registerAnyway({ eventType: 'WEATHER_NOTIFICATION', url })).toEqual(refused(400, 'eventType'));
  });
});

describe('2.1 url: must be HTTPS', () => {
  it.each(['http://partner.example/hook', 'ftp://partner.example', 'partner.example', ''])(
    'refuses the URL %j in the client and on the platform',
    async (other) => {
      const call = registerWebhook(contract().client, { eventType, url: other });
      await expect(call).rejects.toBeInstanceOf(PlatformInputError);
      await expect(call).rejects.toThrow(/url: .*HTTPS/);
      expect(await registerAnyway({ eventType, url: other })).toEqual(refused(400, 'url'));
      expect(await getWebhook(contract().client, eventType)).toBeUndefined();
    },
  );
});

describe('2.1 headers + 8 Headers per webhook: at most 5', () => {
  it.each([undefined, []])('answers no headers when %j are registered', async (none) => {
    await registerWebhook(contract().client, { eventType, url, headers: none });
    expect(await getWebhook(contract().client, eventType)).not.toHaveProperty('headers');
  });

  it('accepts five headers per webhook', async () => {
    await registerWebhook(contract().client, { eventType, url, headers: headers(5) });
    expect((await getWebhook(contract().client, eventType))?.headers).toEqual(headers(5));
  });

  it('refuses six headers per webhook', async () => {
    await expect(registerWebhook(contract().client, { eventType, url, headers: headers(6) })).rejects.toThrow(
      /headers: .*5.*section 2\.1/,
    );
    expect(await registerAnyway({ eventType, url, headers: headers(6) })).toEqual(refused(400, 'headers'));
  });
});

describe('2.1 Header name: no white space', () => {
  it.each(['', 'two words', ' x', '\t', 'x\n'])('refuses the header name %j', async (name) => {
    const data = { eventType, url, headers: [{ name, value: 'a' }] };
    await expect(registerWebhook(contract().client, data)).rejects.toThrow(/headers\.0\.name: .*white space/);
    expect(await registerAnyway(data)).toEqual(refused(400, 'headers.0.name'));
  });
});

describe('2.1 Header value: required', () => {
  it('refuses a header without a value', async () => {
    expect(await registerAnyway({ eventType, url, headers: [{ name: 'x' }] })).toEqual(refused(400, 'headers.0.value'));
  });

  it('keeps the value of a header unchanged', async () => {
    const header = { name: 'x-secret', value: ' a "b"; c ' };
    await registerWebhook(contract().client, { eventType, url, headers: [header] });
    expect((await getWebhook(contract().client, eventType))?.headers).toEqual([header]);
  });
});

describe('2.1 WebhookData: eventType, url and headers register a webhook', () => {
  it('replaces the webhook of an event type at the next registration', async () => {
    const { client } = contract();
    await registerWebhook(client, { eventType, url, headers: headers(1) });
    await registerWebhook(client, { eventType, url: `${url}/new` });
    expect(await Array.fromAsync(listWebhooks(client))).toEqual([
      { eventType, url: `${url}/new`, createdOn: expect.any(String), modifiedOn: expect.any(String) },
    ]);
  });

  it('deletes a webhook by its event type, also a second time', async () => {
    const { client } = contract();
    await registerWebhook(client, { eventType, url });
    await deleteWebhook(client, eventType);
    await deleteWebhook(client, eventType);
    expect(await getWebhook(client, eventType)).toBeUndefined();
  });
});

describe('2.1 WebhookMissing: event types without a webhook', () => {
  it('lists every event type but the registered ones', async () => {
    const { client } = contract();
    await registerWebhook(client, { eventType, url });
    expect(await listMissingWebhooks(client)).toEqual(eventTypes.filter((type) => type !== eventType));
    await deleteWebhook(client, eventType);
    expect(await listMissingWebhooks(client)).toEqual(eventTypes);
  });

  it('lists objects with eventType', async () => {
    const { body } = await contract().call('GET', '/webhooks-missing');
    expect(body).toEqual(eventTypes.map((type) => ({ eventType: type })));
  });
});
