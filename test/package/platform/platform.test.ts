import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  connectPlatform,
  type Platform,
  PlatformHttpError,
  PlatformInputError,
  tokensFromOAuth,
} from '#package/exports/platform.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { registerPartner, useContract } from '#test/spec/contract.ts';
import { makePerson } from '#test/spec/persons.ts';
import { openAccount } from '#test/spec/trading.ts';

const contract = useContract({ settings: { deliveryRetriesAfter: [] } });

let platform: Platform;
let personId: string;
beforeEach(async () => {
  const { baseUrl, platform: sandbox } = contract();
  const { now } = sandbox.clock;
  const tokens = tokensFromOAuth({ authUrl: baseUrl, ...defaultCredentials, now });
  platform = connectPlatform({ baseUrl, tokens, now });
  personId = await makePerson(contract());
});

const eventType = 'TRANSFER_NOTIFICATION';

/**
 * The operations themselves are proved in test/spec, and the compiler checks what each name of the client is bound to. Here is what the
 * compiler cannot tell: HTTP and tokens, the Requestor-ID, and names whose types allow another operation.
 */
describe('@drawbridge-partner/drawbridge/platform and the sandbox platform, over HTTP', () => {
  it('creates a person, reads the person, and finds the person by the externalId', async () => {
    const externalId = 'wanted';
    const { naturalPersonId, isAdopted } = await platform.createNaturalPerson({ ...samplePerson, externalId });
    expect(isAdopted).toBe(false);
    expect(await platform.getNaturalPerson(naturalPersonId)).toMatchObject({ externalId });
    expect(await platform.findNaturalPerson(externalId)).toMatchObject({ naturalPersonId });
  });

  it('lists the persons of a status, page after page', async () => {
    const more = await Promise.all(['ACTIVE', 'BLOCKED', 'ACTIVE'].map((status) => makePerson(contract(), status)));
    const active = await Array.fromAsync(platform.listNaturalPersons({ naturalPersonStatus: 'ACTIVE', limit: 1 }));
    expect(active.map(({ naturalPersonId }) => naturalPersonId).toSorted()).toEqual(
      [personId, more[0], more[2]].toSorted(),
    );
  });

  it('deletes a webhook', async () => {
    await registerPartner(contract(), eventType);
    await platform.deleteWebhook(eventType);
    expect(await platform.getWebhook(eventType)).toBeUndefined();
  });

  it('marks an undelivered webhook as delivered', async () => {
    await registerPartner(contract(), eventType);
    contract().partner.answer = 503;
    await contract().control('POST', '/notifications', { eventType, body: '{}' });
    await contract().advance(1);
    const [record] = await Array.fromAsync(platform.listUndeliveredWebhooks());
    await platform.markWebhooksDelivered(record?.id ?? '');
    expect(await Array.fromAsync(platform.listUndeliveredWebhooks())).toEqual([]);
  });

  it('makes a call that the specification does not show, without and with a Requestor-ID', async () => {
    const trader = await openAccount(contract());
    const { transferId } = await trader.transfer('OUT', 40);
    const call = { operation: 'Get transfer', method: 'GET', path: `/transfers/${transferId}` } as const;
    const answer = z.object({ transfer: z.object({ transferId: z.literal(transferId) }) });
    await platform.onBehalfOf(trader.naturalPersonId).request(answer, call);
    await expect(platform.request(answer, call)).rejects.toMatchObject({ name: 'PlatformHttpError', status: 400 });
  });

  it('acts on behalf of a person: with the options of the call, and only of a person that is ACTIVE', async () => {
    const page = z.object({ data: z.array(z.unknown()) });
    expect((await platform.onBehalfOf(personId).listAssets(page, { limit: 2 })).data).toHaveLength(2);
    const blocked = platform.onBehalfOf(await makePerson(contract(), 'BLOCKED'));
    await expect(blocked.listAssets(page)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
    expect(() => platform.onBehalfOf('me')).toThrow(PlatformInputError);
  });

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
});
