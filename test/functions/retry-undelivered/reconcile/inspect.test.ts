import { describe, expect, it } from 'vitest';
import { createInspect, readInspection } from '#functions/retry-undelivered/reconcile/inspect.ts';
import { createReadPlatformEntity } from '#functions/retry-undelivered/reconcile/read-platform-entity.ts';
import { entityComparison, walkSummary } from '#shared/api/reconcile-answers.ts';
import { useContract } from '#test/spec/contract.ts';
import { type ReconcileWorld, useReconcileWorld } from './reconcile-world.ts';

const contract = useContract({ settings: { acceptSelfBeforeActive: true } });
let world: ReconcileWorld;
useReconcileWorld(contract, (made) => {
  world = made.world;
});

async function inspect(event: object): Promise<unknown> {
  const asked = readInspection(event);
  if (asked === undefined) throw new Error('This is no inspection.');
  const ask = createReadPlatformEntity({ ...world.deps, maxFailures: 0 });
  return createInspect({ ...world.deps, entityStore: world.entityStore, ask })(asked, new AbortController().signal);
}

const compare = async (kind: string, id: string) =>
  entityComparison.parse(await inspect({ mode: 'compare', kind, id }));

describe('a comparison of one entity', () => {
  it('shows how a person differs from the platform, and changes nothing', async () => {
    const id = await world.makePerson();
    expect(await compare('natural-person', id)).toMatchObject({
      platform: { status: 'ACTIVE' },
      differed: ['entity'],
    });
    await contract().advance(3_600);
    await world.reconcile({ mode: 'repair' });
    await world.storeAll();
    expect(await compare('natural-person', id)).toMatchObject({ ours: { status: 'ACTIVE' }, differed: [] });
    await contract().control('POST', `/natural-persons/${id}/status`, { naturalPersonStatus: 'SUSPENDED' });
    expect(await compare('natural-person', id)).toMatchObject({
      ours: { status: 'ACTIVE' },
      platform: { status: 'SUSPENDED' },
      differed: ['status', 'modifiedOn'],
    });
    expect(await world.storeAll()).toBe(0);
  });

  it('says that the platform does not know a person', async () => {
    expect(await compare('natural-person', crypto.randomUUID())).toMatchObject({ platform: 'gone', differed: [] });
  });

  it('says that no operation reads an order', async () => {
    const orderId = crypto.randomUUID();
    await world.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', { orderId, status: 'FILLED' });
    expect(await compare('order', orderId)).toMatchObject({ ours: { status: 'FILLED' }, platform: 'not readable' });
  });

  it('fails with the platform', async () => {
    const id = await world.makePerson();
    await contract().control('POST', '/faults', { effect: 'ANSWER', status: 503 });
    await expect(compare('natural-person', id)).rejects.toThrow(/503/);
  });
});

describe('the last walk', () => {
  it('is that of a repair, and no report changes it', async () => {
    expect(walkSummary.parse(await inspect({ mode: 'last' }))).toEqual({ failedRuns: 0 });
    await world.makePerson();
    await contract().advance(3_600);
    await world.reconcile({ mode: 'repair' });
    await world.reconcile({ mode: 'report' });
    expect(walkSummary.parse(await inspect({ mode: 'last' }))).toMatchObject({
      last: { counts: { 'natural-person': { checked: 1, drifted: 1, repaired: 1 } } },
    });
  });
});
