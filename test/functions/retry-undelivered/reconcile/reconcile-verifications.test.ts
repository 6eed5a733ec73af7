import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { reconcileProgress } from '#functions/retry-undelivered/reconcile/reconcile-progress.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import { useContract } from '#test/spec/contract.ts';
import { createReconcileWorld, type ReconcileWorld } from './reconcile-world.ts';

const contract = useContract({
  profile: platformProfile.parse({ pageSize: 2 }),
  settings: { acceptSelfBeforeActive: true },
});
const kind = 'identification-verification';
const waiting = { step: 'AWAITING_VIDEO_CALL' } as const;
const ended = { step: 'COMPLETED', dueOn: undefined } as const;
const nothing = { checked: 0, drifted: 0, repaired: 0, readBack: 0, stale: 0, gone: 0, unanswered: 0 };
let emulators: Emulators;
let world: ReconcileWorld;

beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());
beforeEach(async () => {
  world = await createReconcileWorld(emulators, contract());
});
afterEach(() => emulators.unwatch());

/** A verification on the platform, of which no webhook tells, of a person of whom one did. */
async function verify(naturalPersonId: string): Promise<string> {
  const body = { naturalPersonId, externalVerifier: 'EXTERNAL_VERIFIER_ID', identificationType: 'VIDEO_IDENT' };
  const headers = { 'Requestor-ID': naturalPersonId };
  const { body: made } = await contract().call('POST', '/entities/identification-verifications', { body, headers });
  return z.object({ identificationVerificationId: z.string() }).parse(made).identificationVerificationId;
}

/** An onboarding that is at this step, with a verification that no webhook reported. */
async function onboard(externalId: string, state: Partial<OnboardingState> = waiting) {
  const naturalPersonId = await world.makePerson('CREATED');
  const id = await verify(naturalPersonId);
  const row = sampleOnboarding(externalId, { naturalPersonId, identificationVerificationId: id, ...state });
  await world.onboardingStore.create({ ...row, expiresAt: 9_999_999_999 });
  return { id, naturalPersonId };
}

const read = (id: string) => world.entityStore.read({ kind, id });
const countsOf = async (mode: 'repair' | 'report') => (await world.reconcile({ mode })).counts[kind];

/** A video call, once the platform has its link. */
async function callFor(id: string, outcome: string): Promise<void> {
  await contract().advance(60);
  await contract().control('POST', `/identification-verifications/${id}/video-call`, { outcome });
}

describe('reconciling the verifications of open onboardings', () => {
  it('one of which every webhook was lost is found, counted, repaired, and published with what differed', async () => {
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
    await world.reconcile({ mode: 'repair' });
    await world.storeAll();
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

  it('what has just changed may be under way, and is no drift', async () => {
    await onboard('a');
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 1 });
  });

  it('one that is quiet as well counts once', async () => {
    const { id } = await onboard('a');
    await contract().advance(3_600);
    await world.reconcile({ mode: 'repair' });
    await world.storeAll();
    await callFor(id, 'APPROVED');
    await contract().advance(7 * 3_600);
    expect(await countsOf('report')).toEqual({ ...nothing, checked: 1, drifted: 1 });
  });

  it('one that is over is not asked for again', async () => {
    const { id } = await onboard('a');
    await callFor(id, 'APPROVED');
    await contract().advance(3_600);
    await world.reconcile({ mode: 'repair' });
    await world.storeAll();
    const asked: string[] = [];
    const { client } = contract();
    const send: typeof client.send = (request, options) => {
      asked.push(request.path);
      return client.send(request, options);
    };
    const request: typeof client.request = (schema, call, options) => {
      asked.push(call.path);
      return client.request(schema, call, options);
    };
    const { counts } = await world.reconcile({ mode: 'repair' }, { client: { ...client, send, request } });
    expect(counts[kind]).toEqual({ ...nothing, checked: 1 });
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
  ])('its last status, of which the webhook was lost, is found %s', async (_, hours) => {
    const { id } = await onboard('a', ended);
    await contract().advance(3_600);
    await world.reconcile({ mode: 'repair' });
    await world.storeAll();
    await callFor(id, 'APPROVED');
    await contract().advance(hours * 3_600);
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 1, drifted: 1, repaired: 1 });
    await world.storeAll();
    expect(await read(id)).toMatchObject({ status: 'APPROVED' });
  });

  it('it is not asked for for ever where nothing comes of it', async () => {
    await onboard('a', ended);
    await contract().advance(3_600);
    await world.reconcile({ mode: 'repair' });
    await world.storeAll();
    await contract().advance(8 * 24 * 3_600);
    expect(await countsOf('report')).toEqual({ ...nothing, checked: 1, stale: 1 });
  });

  it('so are those that it had before it was retried', async () => {
    const naturalPersonId = await world.makePerson('CREATED');
    const former = await verify(naturalPersonId);
    await callFor(former, 'REJECTED');
    const row = sampleOnboarding('a', { naturalPersonId, formerVerificationIds: [former], ...waiting });
    await world.onboardingStore.create({ ...row, expiresAt: 9_999_999_999 });
    await contract().advance(3_600);
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 1, drifted: 1, repaired: 1 });
  });
});

describe('reconciling verifications that have not drifted', () => {
  it('one that is erased stays so, and is not asked for', async () => {
    const { id } = await onboard('a');
    await world.entityStore.erase({ kind, id }, async () => undefined);
    await contract().advance(3_600);
    expect(await countsOf('repair')).toEqual(nothing);
  });

  it('one that neither the platform nor we know', async () => {
    const naturalPersonId = await world.makePerson('CREATED');
    const id = '00000000-0000-4000-8000-000000000003';
    await world.onboardingStore.create({
      ...sampleOnboarding('a', { naturalPersonId, identificationVerificationId: id, ...waiting }),
      expiresAt: 9_999_999_999,
    });
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
  it('among the verifications, too: a report in parts finds each once', async () => {
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
