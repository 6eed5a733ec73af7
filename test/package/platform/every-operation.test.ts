import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  connectPlatform,
  type Platform,
  PlatformHttpError,
  PlatformInputError,
  type PlatformOfRequestor,
  tokensFromOAuth,
} from '#package/exports/platform.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { sampleIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { registerPartner, useContract } from '#test/spec/contract.ts';
import { createPerson, makePerson } from '#test/spec/persons.ts';
import { openAccount } from '#test/spec/trading.ts';

const contract = useContract({ settings: { deliveryRetriesAfter: [] } });

let platform: Platform;
let personId: string;
let asPerson: PlatformOfRequestor;
beforeEach(async () => {
  const { baseUrl, platform: sandbox } = contract();
  const { now } = sandbox.clock;
  const tokens = tokensFromOAuth({ authUrl: baseUrl, ...defaultCredentials, now });
  platform = connectPlatform({ baseUrl, tokens, now });
  personId = await makePerson(contract());
  asPerson = platform.onBehalfOf(personId);
});

const eventType = 'TRANSFER_NOTIFICATION';
const newVerification = (naturalPersonId: string) =>
  ({ naturalPersonId, externalVerifier: 'EXTERNAL_VERIFIER_ID', identificationType: 'VIDEO_IDENT' }) as const;
const failDelivery = async () => {
  await registerPartner(contract(), eventType);
  contract().partner.status = 503;
  await contract().control('POST', '/notifications', { eventType, body: '{}' });
  await contract().advance(1);
};
const transferRecord = z.object({ transfer: z.object({ transferId: z.string() }) });

/** What shows that the sandbox platform has taken the operation. */
const operations = {
  createNaturalPerson: async () => {
    const { naturalPersonId, isAdopted } = await platform.createNaturalPerson(samplePerson);
    expect(isAdopted).toBe(false);
    expect(await platform.getNaturalPerson(naturalPersonId)).toMatchObject({ externalId: samplePerson.externalId });
  },
  getNaturalPerson: async () => {
    expect(await platform.getNaturalPerson(personId)).toMatchObject({ naturalPersonStatus: 'ACTIVE' });
  },
  listNaturalPersons: async () => {
    const more = await Promise.all(['ACTIVE', 'BLOCKED', 'ACTIVE'].map((status) => makePerson(contract(), status)));
    const active = await Array.fromAsync(platform.listNaturalPersons({ naturalPersonStatus: 'ACTIVE', limit: 1 }));
    expect(active.map(({ naturalPersonId }) => naturalPersonId).toSorted()).toEqual(
      [personId, more[0], more[2]].toSorted(),
    );
  },
  findNaturalPerson: async () => {
    const id = await createPerson(contract(), { externalId: 'wanted' });
    expect(await platform.findNaturalPerson('wanted')).toMatchObject({ naturalPersonId: id });
    expect(await platform.findNaturalPerson('unknown')).toBeUndefined();
  },
  listWebhooks: async () => {
    await registerPartner(contract(), eventType, 'CUSTOMER_NOTIFICATION');
    const webhooks = await Array.fromAsync(platform.listWebhooks());
    expect(webhooks.map((webhook) => webhook.eventType).toSorted()).toEqual(['CUSTOMER_NOTIFICATION', eventType]);
  },
  registerWebhook: async () => {
    await platform.registerWebhook({ eventType, url: 'https://partner.example/a' });
    await platform.registerWebhook({ eventType, url: 'https://partner.example/b' });
    expect(await platform.getWebhook(eventType)).toMatchObject({ url: 'https://partner.example/b' });
  },
  getWebhook: async () => {
    expect(await platform.getWebhook(eventType)).toBeUndefined();
  },
  deleteWebhook: async () => {
    await registerPartner(contract(), eventType);
    await platform.deleteWebhook(eventType);
    await platform.deleteWebhook(eventType);
    expect(await platform.getWebhook(eventType)).toBeUndefined();
  },
  listMissingWebhooks: async () => {
    await registerPartner(contract(), eventType);
    const missing = await platform.listMissingWebhooks();
    expect([missing.includes(eventType), missing.includes('CUSTOMER_NOTIFICATION')]).toEqual([false, true]);
  },
  listUndeliveredWebhooks: async () => {
    await failDelivery();
    expect(await Array.fromAsync(platform.listUndeliveredWebhooks())).toMatchObject([{ body: '{}' }]);
  },
  markWebhooksDelivered: async () => {
    await failDelivery();
    const [record] = await Array.fromAsync(platform.listUndeliveredWebhooks());
    await platform.markWebhooksDelivered(record?.id ?? '');
    expect(await Array.fromAsync(platform.listUndeliveredWebhooks())).toEqual([]);
  },
  request: async () => {
    const call = { operation: 'Get transfer', method: 'GET', path: '/transfers/none' } as const;
    await expect(platform.request(z.unknown(), call)).rejects.toMatchObject({ name: 'PlatformHttpError', status: 400 });
  },
  onBehalfOf: async () => {
    expect(() => platform.onBehalfOf('me')).toThrow(PlatformInputError);
    const blocked = platform.onBehalfOf(await makePerson(contract(), 'BLOCKED'));
    await expect(blocked.listAssets(z.unknown())).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
  },
} satisfies Record<keyof Platform, () => Promise<void>>;

const operationsOfRequestor = {
  listAssets: async () => {
    const page = z.object({ data: z.array(z.object({ isin: z.string() })) });
    expect((await asPerson.listAssets(page, { limit: 2 })).data).toHaveLength(2);
  },
  cancelOrder: async () => {
    const trader = await openAccount(contract());
    const orderId = await trader.pending();
    await platform.onBehalfOf(trader.naturalPersonId).cancelOrder(orderId);
    await contract().advance(10);
    expect(await trader.statusOf(orderId)).toBe('CANCELED');
  },
  getTradeInvoice: async () => {
    const trader = await openAccount(contract());
    const { executions } = await trader.read(await trader.filled());
    await contract().advance(10);
    const asTrader = platform.onBehalfOf(trader.naturalPersonId);
    const { contentType, content } = await asTrader.getTradeInvoice(executions?.[0]?.executionId ?? '');
    expect([contentType, Buffer.from(content).toString('latin1').slice(0, 5)]).toEqual(['application/pdf', '%PDF-']);
  },
  getTransfer: async () => {
    const trader = await openAccount(contract());
    const { transferId } = await trader.transfer('OUT', 40);
    const asTrader = platform.onBehalfOf(trader.naturalPersonId);
    expect(await asTrader.getTransfer(transferId)).toMatchObject({ transferId, transferStatus: 'RECEIVED' });
  },
  createIdentificationVerification: async () => {
    const created = await asPerson.createIdentificationVerification(newVerification(personId));
    const listed = await Array.fromAsync(asPerson.listIdentificationVerifications());
    expect(listed).toMatchObject([{ ...created, naturalPersonId: personId }]);
  },
  getIdentificationVerification: async () => {
    const created = await asPerson.createIdentificationVerification(newVerification(personId));
    const read = await asPerson.getIdentificationVerification(created.identificationVerificationId);
    expect(read).toMatchObject({ status: 'RECEIVED' });
  },
  listIdentificationVerifications: async () => {
    expect(await Array.fromAsync(asPerson.listIdentificationVerifications())).toEqual([]);
  },
  updateNaturalPerson: async () => {
    await asPerson.updateNaturalPerson(personId, { naturalPersonUpdateData: { profession: 'Baker' } });
    await contract().advance(10);
    expect(await platform.getNaturalPerson(personId)).toMatchObject({ profession: 'Baker' });
  },
  createNaturalPersonIdentification: async () => {
    const identification = { ...sampleIdentification, identificationDate: '2026-10-01' };
    await asPerson.createNaturalPersonIdentification(personId, identification);
    await contract().advance(10);
    const { naturalPersonIdentifications } = await platform.getNaturalPerson(personId);
    expect(naturalPersonIdentifications?.at(-1)).toMatchObject(identification);
  },
  request: async () => {
    const trader = await openAccount(contract());
    const { transferId } = await trader.transfer('OUT', 40);
    const call = { operation: 'Get transfer', method: 'GET', path: `/transfers/${transferId}` } as const;
    const answer = await platform.onBehalfOf(trader.naturalPersonId).request(transferRecord, call);
    expect(answer.transfer.transferId).toBe(transferId);
  },
} satisfies Record<keyof PlatformOfRequestor, () => Promise<void>>;

describe('@drawbridge-partner/drawbridge/platform and the sandbox platform, over HTTP', () => {
  it.each(Object.entries(operations))('takes effect without a Requestor-ID: %s', (_, act) => act());
  it.each(Object.entries(operationsOfRequestor))('takes effect on behalf of a person: %s', (_, act) => act());

  it('throws the condition of section 7 with what the platform says', async () => {
    await platform.createNaturalPerson(samplePerson);
    const again = platform.createNaturalPerson(samplePerson);
    await expect(again).rejects.toBeInstanceOf(PlatformHttpError);
    await expect(again).rejects.toMatchObject({
      operation: 'Create natural person',
      condition: 'CONFLICT',
      status: 409,
    });
  });

  it('asks for one token for concurrent calls, and for another when the platform has revoked it', async () => {
    const asked: string[] = [];
    const { baseUrl, platform: sandbox } = contract();
    const tokens = tokensFromOAuth({ authUrl: baseUrl, ...defaultCredentials, now: sandbox.clock.now });
    const read = async (options?: { readonly fresh?: boolean }) => {
      const token = await tokens.read(options);
      if (asked.at(-1) !== token) asked.push(token);
      return token;
    };
    const other = connectPlatform({ baseUrl, tokens: { ...tokens, read }, now: sandbox.clock.now });
    await Promise.all([1, 2, 3].map(() => other.getNaturalPerson(personId)));
    expect(asked).toHaveLength(1);
    await contract().control('POST', '/tokens/revoke', {});
    await other.getNaturalPerson(personId);
    expect(asked).toHaveLength(2);
  });
});
