import { describe, expect, it } from 'vitest';
import { reconcileProgress } from '#functions/retry-undelivered/reconcile/reconcile-progress.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import { useContract } from '#test/spec/contract.ts';
import { clientWith, nothing, type ReconcileWorld, useReconcileWorld } from './reconcile-world.ts';

const contract = useContract({
  profile: platformProfile.parse({ pageSize: 2 }),
  settings: { acceptSelfBeforeActive: true },
});
const kind = 'identification-verification';
const waiting = { step: 'AWAITING_VIDEO_CALL' } as const;
const ended = { step: 'COMPLETED', dueOn: undefined } as const;
let world: ReconcileWorld;
useReconcileWorld(contract, (made) => {
  world = made.world;
});

async function keep(externalId: string, state: Partial<OnboardingState>): Promise<void> {
  await world.onboardingStore.create({ ...sampleOnboarding(externalId, state), expiresAt: 9_999_999_999 });
}

/** An onboarding that is at this step, with a verification that no webhook reported. */
async function onboard(externalId: string, state: Partial<OnboardingState> = waiting) {
  const naturalPersonId = await world.makePerson('CREATED');
  const id = await world.makeVerification(naturalPersonId);
  await keep(externalId, { naturalPersonId, identificationVerificationId: id, ...state });
  return { id, naturalPersonId };
}

const read = (id: string) => world.entityStore.read({ kind, id });
const countsOf = (mode: 'repair' | 'report') => world.countsOf(kind, mode);

/** A video call, once the platform has its link. */
async function callFor(id: string, outcome: string): Promise<void> {
  await contract().advance(60);
  await contract().control('POST', `/identification-verifications/${id}/video-call`, { outcome });
}

describe('reconciling the verifications of open onboardings', () => {
  it('finds, counts, repairs and publishes a verification of which every webhook was lost', async () => {
    const { id } = await onboard('a');
    await contract().advance(3_600);
    const report = await world.reconcile({ mode: 'report' });
    expect(report.counts[kind]).toEqual({ ...nothing, checked: 1, drifted: 1 });
    expect(report.gaps).toContainEqual({ kind, id, what: 'drifted', differed: ['entity'], platformStatus: 'PENDING' });
    expect(await world.storeAll()).toBe(0);
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 1, drifted: 1, repaired: 1 });
    await world.storeAll();
    expect(await read(id)).toMatchObject({ status: 'PENDING' });
    expect(world.published).toContainEqual({
      detailType: 'DriftRepaired',
      detail: expect.objectContaining({ kind, id, differed: ['entity'], status: 'PENDING' }),
    });
    expect(await countsOf('report')).toEqual({ ...nothing, checked: 1 });
  });

  it('finds at the next walk a verification that has changed since, even with a recent report', async () => {
    const { id } = await onboard('a');
    await contract().advance(3_600);
    await world.repair();
    await callFor(id, 'APPROVED');
    await contract().advance(3_600);
    const { counts, gaps } = await world.reconcile({ mode: 'repair' });
    expect(counts[kind]).toEqual({ ...nothing, checked: 1, drifted: 1, repaired: 1 });
    expect(gaps.filter((gap) => gap.kind === kind)).toMatchObject([
      { id, status: 'PENDING', platformStatus: 'APPROVED' },
    ]);
    await world.storeAll();
    expect(await read(id)).toMatchObject({ status: 'APPROVED' });
  });

  it('counts a verification once that is quiet as well', async () => {
    const { id } = await onboard('a');
    await contract().advance(3_600);
    await world.repair();
    await callFor(id, 'APPROVED');
    await contract().advance(7 * 3_600);
    expect(await countsOf('report')).toEqual({ ...nothing, checked: 1, drifted: 1 });
  });

  it('does not ask again for a verification that is over', async () => {
    const { id } = await onboard('a');
    await callFor(id, 'APPROVED');
    await contract().advance(3_600);
    await world.repair();
    const asked: string[] = [];
    const { client } = contract();
    const watched = clientWith(client, (request, options) => {
      asked.push(request.path);
      return client.send(request, options);
    });
    const { counts } = await world.repair({ client: watched });
    expect(counts[kind]).toEqual(nothing);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.join()).not.toContain(id);
  });
});

describe('reconciling after an onboarding has ended between two walks', () => {
  it('finds a verification that no webhook has reported until then', async () => {
    const { id } = await onboard('a', ended);
    await callFor(id, 'APPROVED');
    await contract().advance(3_600);
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 1, drifted: 1, repaired: 1 });
    await world.storeAll();
    expect(await read(id)).toMatchObject({ status: 'APPROVED' });
  });

  it.each([
    ['at the next walk', 1],
    ['once it is quiet: the answer said whose it is', 7],
  ])('finds the last status of a verification, of which the webhook was lost, %s', async (_, hours) => {
    const { id } = await onboard('a', ended);
    await contract().advance(3_600);
    await world.repair();
    await callFor(id, 'APPROVED');
    await contract().advance(hours * 3_600);
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 1, drifted: 1, repaired: 1 });
    await world.storeAll();
    expect(await read(id)).toMatchObject({ status: 'APPROVED' });
  });

  it('finds the verifications that an onboarding had before it was retried', async () => {
    const naturalPersonId = await world.makePerson('CREATED');
    const former = await world.makeVerification(naturalPersonId);
    await callFor(former, 'REJECTED');
    await keep('a', { naturalPersonId, formerVerificationIds: [former], ...waiting });
    await contract().advance(3_600);
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 1, drifted: 1, repaired: 1 });
  });
});

describe('reconciling verifications that have not drifted', () => {
  it('leaves an erased verification erased, and does not ask for it', async () => {
    const { id } = await onboard('a');
    await world.entityStore.erase({ kind, id }, async () => undefined);
    await contract().advance(3_600);
    expect(await countsOf('repair')).toEqual(nothing);
  });

  it('finds no drift in a verification that neither the platform nor we know', async () => {
    const naturalPersonId = await world.makePerson('CREATED');
    const id = '00000000-0000-4000-8000-000000000003';
    await keep('a', { naturalPersonId, identificationVerificationId: id, ...waiting });
    await contract().advance(3_600);
    expect(await countsOf('report')).toEqual({ ...nothing, checked: 1 });
  });

  it('lists a verification without a usable requestor as unanswered and not as drift', async () => {
    const { naturalPersonId } = await onboard('a');
    for (const naturalPersonStatus of ['PENDING', 'ACTIVE', 'BLOCKED'])
      await contract().control('POST', `/natural-persons/${naturalPersonId}/status`, { naturalPersonStatus });
    await contract().advance(3_600);
    expect(await countsOf('report')).toEqual({ ...nothing, checked: 1, unanswered: 1 });
  });
});

describe('continuing the walk over verifications', () => {
  it('finds each verification once in a report in parts', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1) ids.push((await onboard(`partner-${number}`)).id);
    await contract().advance(3_600);
    const { verifications } = world.deps;
    const found: string[] = [];
    let from: unknown;
    let invocations = 0;
    do {
      const stop = new AbortController();
      let pages = 0;
      const event = { mode: 'report', ...(from !== undefined && { from }) };
      const report = await world.reconcile(
        event,
        {
          verifications: {
            list: async ({ start }) => {
              pages += 1;
              if (pages === 2) stop.abort();
              return verifications?.list({ start, most: 2 }) ?? { items: [], next: undefined };
            },
          },
        },
        stop.signal,
      );
      found.push(...report.gaps.filter((gap) => gap.kind === kind).map(({ id }) => id));
      from = report.next && JSON.parse(JSON.stringify(reconcileProgress.parse(report.next)));
      invocations += 1;
    } while (from !== undefined);
    expect(found.toSorted()).toEqual(ids.toSorted());
    expect(invocations).toBeGreaterThan(1);
  });
});
