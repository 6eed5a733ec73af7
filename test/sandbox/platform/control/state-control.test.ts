import { describe, expect, it } from 'vitest';
import { type Settings, settings } from '#sandbox/platform/core/settings.ts';
import type { NaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import { startPersons } from '#test/sandbox/platform/persons/persons-fixture.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

type Platform = ReturnType<typeof startPersons>;

const start = (initial: Partial<Settings> = {}) => startPersons({ settings: initial });
const buy = { isin: 'DE000SBX0018', side: 'BUY', quantity: 1.5 } as const;

const save = async ({ request }: Platform) => (await request('GET', '/control/snapshot')).body;
const load = (platform: Platform, body: unknown) => platform.request('PUT', '/control/snapshot', { body });

/** A platform in the middle of everything: with records of each kind that wait for something. */
async function busy(): Promise<Platform> {
  const platform = start({ videoCallsAfter: 50, ordersExecutedAfter: 50, ordersSettledAfter: 50 });
  const { accounts, orders, transfers, proxies, faults, assets } = platform;
  await platform.createdId({ externalId: 'new' });
  const active = await platform.madeId('ACTIVE', { externalId: 'active' });
  const created = await platform.madeId('CREATED');
  await platform.verificationId(created);
  accounts.set(active, { cash: 100_000n });
  orders.place({ naturalPersonId: active, ...buy, limitPrice: 20 });
  const filled = orders.place({ naturalPersonId: active, ...buy, externalId: 'magic-settled' });
  transfers.create({ naturalPersonId: active, direction: 'OUT', amount: 12.5, externalId: 'magic-processed' });
  await platform.clock.advance(1);
  orders.execute(filled.orderId);
  proxies.create(active, created);
  faults.place({ effect: 'NO_ANSWER', operation: 'getTransfer', share: 1, commits: false });
  assets.put({ isin: 'US0378331005', name: 'Zinnia', price: 200, hasTradeDocuments: false });
  return platform;
}

/** Everything that the platform shows, but the times. */
function seen({ persons, verifications, orders, transfers, accounts }: Platform) {
  return {
    persons: persons.all().map(({ person }) => [person.naturalPersonId, person.naturalPersonStatus]),
    verifications: verifications.all().map(({ verification }) => verification.status),
    orders: orders.all().map(({ orderId, status, execution }) => [orderId, status, execution?.price]),
    transfers: transfers.all().map(({ transferId, status }) => [transferId, status]),
    accounts: accounts.save(),
  };
}

describe('sandbox platform: snapshots', () => {
  it('has the same state after a snapshot is loaded into another platform, as JSON', async () => {
    const platform = await busy();
    const saved = await save(platform);
    const other = start();
    expect((await load(other, JSON.parse(JSON.stringify(saved)))).status).toBe(200);
    expect(seen(other)).toEqual(seen(platform));
    expect(await save(other)).toMatchObject({ state: (saved as { state: unknown }).state });
  });

  it('continues from a snapshot as the platform would have continued', async () => {
    const platform = await busy();
    const other = start();
    await load(other, await save(platform));
    for (const each of [platform, other]) await each.clock.advance(600);
    expect(seen(other)).toEqual(seen(platform));
    expect(seen(other)).toMatchObject({
      verifications: ['APPROVED'],
      orders: [
        [expect.any(String), 'SETTLED', 100_000n],
        [expect.any(String), 'SETTLED', 100_000n],
      ],
      transfers: [[expect.any(String), 'PROCESSED']],
    });
  });

  it('gives no new record an id of a snapshot that another platform of the same seed has saved', async () => {
    const platform = start();
    await platform.madeId('ACTIVE', { externalId: 'saved' });
    const other = start();
    await load(other, await save(platform));
    await other.madeId('ACTIVE', { externalId: 'new' });
    const persons = other.persons.all().map(({ person }) => person);
    expect(persons.map(({ externalId }) => externalId)).toEqual(['saved', 'new']);
    const idsOf = ({ naturalPersonId, globalId, naturalPersonIdentifications: identifications }: NaturalPerson) => [
      ...[naturalPersonId, globalId],
      ...identifications.map(({ identificationId }) => identificationId),
    ];
    expect(new Set(persons.flatMap(idsOf)).size).toBe(6);
  });

  it('rejects a state that no snapshot has, and stays as it is', async () => {
    const platform = await busy();
    const saved = (await save(platform)) as { readonly state: Record<string, unknown> };
    const before = seen(platform);
    const state = { ...saved.state, accounts: [{ naturalPersonId: 'a', cash: 'much', unsettled: '0', positions: [] }] };
    const { status, body } = await load(platform, { ...saved, state });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining('state.accounts.0.cash') }),
    ]);
    expect((await load(platform, { ...saved, format: 2 })).status).toBe(400);
    expect(seen(platform)).toEqual(before);
  });
});

describe('sandbox platform: reset', () => {
  it('removes records, faults and logs, and restores the settings of the start', async () => {
    const platform = await busy();
    await platform.request('PATCH', '/control/settings', { body: { checksAfter: 99 } });
    platform.madeUpDeliveries.add({ count: 1, malformed: 0, eventType: 'NATURAL_PERSON_NOTIFICATION', status: 'A' });
    expect((await platform.request('POST', '/control/reset')).status).toBe(200);
    expect(seen(platform)).toEqual({ persons: [], verifications: [], orders: [], transfers: [], accounts: [] });
    expect([platform.faults.list(), platform.undelivered.all(), platform.proxies.list()]).toEqual([[], [], []]);
    expect(platform.assets.find('US0378331005')).toBeUndefined();
    expect(platform.settings.read()).toEqual(
      settings.parse({
        videoCallsAfter: 50,
        ordersExecutedAfter: 50,
        ordersSettledAfter: 50,
        tokenLifetime: 366 * 86_400,
      }),
    );
    expect(platform.requests.page({ limit: 9 }, () => true).data).toEqual([]);
    expect(platform.deliveryLog.page({ limit: 9 }, () => true).data).toEqual([]);
  });

  it('keeps tokens and webhooks, so that the partner continues, and forgets used externalIds', async () => {
    const platform = start();
    await platform.createdId({ externalId: 'customer-1' });
    const webhooks = platform.registrations.list();
    await platform.request('POST', '/control/reset');
    expect(platform.registrations.list()).toEqual(webhooks);
    expect((await platform.create({ ...samplePerson, externalId: 'customer-1' })).status).toBe(200);
  });
});
