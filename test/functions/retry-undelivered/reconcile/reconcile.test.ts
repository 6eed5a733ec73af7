import { describe, expect, it } from 'vitest';
import { createPace } from '#functions/retry-undelivered/reconcile/read-platform-entity.ts';
import { gapReport } from '#shared/api/reconcile-answers.ts';
import { CheckpointConflictError } from '#shared/aws/checkpoint.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { PlatformError } from '#shared/platform/client/errors.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { httpError } from '#test/shared/platform/client/http-error.ts';
import { useContract } from '#test/spec/contract.ts';
import { openAccount } from '#test/spec/trading.ts';
import {
  clientWith,
  clientWithList,
  createReconcileWorld,
  hour,
  minute,
  nothing,
  type ReconcileWorld,
  useReconcileWorld,
} from './reconcile-world.ts';

const contract = useContract({
  profile: platformProfile.parse({ pageSize: 2 }),
  settings: { acceptSelfBeforeActive: true },
});
const persons = 'NATURAL_PERSON_NOTIFICATION';
const verifications = 'IDENTIFICATION_VERIFICATION_NOTIFICATION';
const transfers = 'TRANSFER_NOTIFICATION';
const sixHours = 6 * 3_600;
let emulators: Emulators;
let world: ReconcileWorld;
useReconcileWorld(contract, (made) => {
  ({ emulators, world } = made);
});

async function makePersons(number: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let made = 0; made < number; made += 1) ids.push(await world.makePerson());
  return ids;
}

/** Persons of whom no webhook has come for an hour. */
async function makeUnreported(number: number): Promise<readonly string[]> {
  const ids = await makePersons(number);
  await contract().advance(3_600);
  return ids;
}

/** Persons about whom a webhook has said that something has changed, but not what. */
async function makeMarked(number: number): Promise<readonly string[]> {
  const ids = await makePersons(number);
  for (const naturalPersonId of ids) await world.deliver(persons, { naturalPersonId });
  return ids;
}

const person = (id: string): EntityKey => ({ kind: 'natural-person', id });
const countsOf = (mode: 'repair' | 'report') => world.countsOf('natural-person', mode);

/** We show each person as the platform has it. */
async function expectNoDrift(): Promise<void> {
  expect(await world.entitiesOf()).toEqual(await world.persons());
}

describe('a repair of persons', () => {
  it('repairs every person without a report in one walk, and the next walk finds and sends nothing', async () => {
    await makeUnreported(5);
    const report = await world.reconcile({ mode: 'repair' });
    expect(report).toMatchObject({ mode: 'repair', outcome: 'complete', furtherGaps: 0 });
    expect(report.counts['natural-person']).toEqual({ ...nothing, checked: 5, drifted: 5, repaired: 5 });
    expect(report.gaps).toHaveLength(5);
    expect(gapReport.parse(JSON.parse(JSON.stringify(report)))).toMatchObject({ outcome: 'complete' });
    expect(await world.storeAll()).toBe(5);
    await expectNoDrift();
    expect(world.counted()).toMatchObject({ EntitiesReconciled: 5, DriftFound: 5, ReconciliationsCompleted: 1 });
    const sizes = (text: string) =>
      world.lines.objects().flatMap(({ message, size }) => (message === text ? [size] : []));
    expect([sizes('drift found'), sizes('reconciliation finished')]).toEqual([[2, 2, 1], [5]]);
    expect(world.published.filter(({ detailType }) => detailType === 'DriftRepaired')).toHaveLength(5);
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 5 });
    expect(await world.storeAll()).toBe(0);
  });

  it('says what differed, without a name', async () => {
    const [id = ''] = await makeUnreported(1);
    await world.repair();
    await contract().control('POST', `/natural-persons/${id}/status`, { naturalPersonStatus: 'SUSPENDED' });
    await contract().advance(3_600);
    const report = await world.repair();
    const differed = ['status', 'modifiedOn'];
    expect(report.gaps).toEqual([
      { kind: 'natural-person', id, what: 'drifted', differed, status: 'ACTIVE', platformStatus: 'SUSPENDED' },
    ]);
    expect(world.published.at(-1)).toMatchObject({
      detailType: 'DriftRepaired',
      detail: { id, differed, statusBefore: 'ACTIVE', status: 'SUSPENDED' },
    });
    const { lastName, contact } = contract().platform.persons.get(id);
    const output = JSON.stringify([report, world.published]) + world.lines.text();
    for (const canary of [lastName, contact?.email ?? '']) expect(output).not.toContain(canary);
    expect(world.lines.text()).not.toContain(id);
  });

  it('reads the lists once a day, and what is due in each run; an operator has all read at once', async () => {
    const daily = { listEveryHours: 24 };
    await makeUnreported(1);
    await world.repair(daily);
    world.counted();
    const unexpected = await world.makePerson();
    await makeMarked(1);
    await contract().advance(3_600);
    const hourly = await world.repair(daily);
    expect(hourly).toMatchObject({ outcome: 'complete', gaps: [] });
    expect(hourly.counts['natural-person']).toEqual({ ...nothing, readBack: 1 });
    expect(world.counted()).toMatchObject({ EntitiesReadBack: 1, ReconciliationsCompleted: 1 });
    const asked = await world.reconcile({ mode: 'report', seconds: 60 }, daily);
    expect(asked.gaps).toMatchObject([{ id: unexpected, what: 'drifted' }]);
    await contract().advance(23 * 3_600);
    const nextDay = await world.repair(daily);
    expect(nextDay.gaps).toMatchObject([{ id: unexpected, what: 'drifted' }]);
    expect(nextDay.counts['natural-person']).toEqual({ ...nothing, checked: 3, drifted: 1, repaired: 1 });
    await expectNoDrift();
  });

  it('checks what is due while the scan of a large table would take the whole run', async () => {
    const weekly = { listEveryHours: 168 };
    await world.repair(weekly);
    // The table is scanned once more.
    await contract().advance((24 * hour) / 1_000);
    await makeMarked(1);
    const stop = new AbortController();
    let pages = 0;
    const listUnplaced = async () => {
      pages += 1;
      await contract().advance(60);
      if (pages > 20) stop.abort();
      return { items: [], next: {} };
    };
    const dueEntities = { ...world.deps.dueEntities, listUnplaced };
    const { outcome, counts } = await world.reconcile({ mode: 'repair' }, { ...weekly, dueEntities }, stop.signal);
    expect({ outcome, readBack: counts['natural-person'].readBack }).toEqual({ outcome: 'time is over', readBack: 1 });
  });

  it('writes a checkpoint every ten seconds, however many pages it has read', async () => {
    await makePersons(12);
    let checkpoints = 0;
    emulators.watch(({ operation, when }) => {
      if (operation === 'PutItem' && when === 'before') checkpoints += 1;
    });
    const twoSeconds = async () => void (await contract().advance(2));
    expect(await world.reconcile({ mode: 'repair' }, { pace: twoSeconds })).toMatchObject({ outcome: 'complete' });
    emulators.unwatch();
    // The first and the last one, and one after ten of the twelve seconds.
    expect(checkpoints).toBe(3);
  });

  it('reports no drift for a change while its webhook may still come', async () => {
    await makePersons(3);
    await contract().advance(4 * 60);
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 3 });
    await contract().advance(2 * 60);
    expect(await countsOf('repair')).toMatchObject({ drifted: 3 });
  });

  it('keeps a report that is newer than the page', async () => {
    const [id = ''] = await makeUnreported(1);
    const modifiedOn = contract().platform.clock.now().toISOString();
    await world.deliver(persons, { naturalPersonId: id, status: 'BLOCKED', modifiedOn });
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 1 });
    expect(await world.entityStore.read(person(id))).toMatchObject({ status: 'BLOCKED' });
  });

  it('leaves an erased person erased', async () => {
    const [id = ''] = await makeUnreported(1);
    await world.entityStore.erase(person(id), async () => undefined);
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 1 });
    expect(await world.storeAll()).toBe(0);
  });
});

describe('a person that an untimed report has marked to be read back', () => {
  async function deliverUntimed(id: string, notificationType = 'UPDATED'): Promise<void> {
    await contract().advance(1);
    await world.deliver(persons, { naturalPersonId: id, notificationType, at: contract().platform.clock.now() });
  }

  it('is read back at the next run, which is no drift', async () => {
    const [id = ''] = await makePersons(1);
    await deliverUntimed(id);
    expect(await world.entityStore.read(person(id))).toMatchObject({ status: undefined, toReadBack: true });
    expect((await world.repair()).counts['natural-person']).toEqual({ ...nothing, checked: 1, readBack: 1 });
    expect(await world.entityStore.read(person(id))).toMatchObject({ status: 'ACTIVE', toReadBack: false });
    expect(world.published.map(({ detailType }) => detailType)).not.toContain('DriftRepaired');
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 1 });
  });

  it('keeps the mark of a report that comes during the read', async () => {
    const [id = ''] = await makePersons(1);
    await deliverUntimed(id);
    const { client } = contract();
    let isDelivered = false;
    const during = clientWith(client, async (request, options) => {
      const answer = await client.send(request, options);
      if (!isDelivered && request.operation === 'Get natural person') await deliverUntimed(id, 'MEANWHILE');
      isDelivered ||= request.operation === 'Get natural person';
      return answer;
    });
    await world.repair({ client: during });
    expect(isDelivered).toBe(true);
    expect(await world.entityStore.read(person(id))).toMatchObject({ status: 'ACTIVE', toReadBack: true });
    await world.repair();
    expect(await world.entityStore.read(person(id))).toMatchObject({ status: 'ACTIVE', toReadBack: false });
  });

  it('keeps the mark of a report that comes after the page was read', async () => {
    const [id = ''] = await makeUnreported(1);
    const { client } = contract();
    const after = clientWith(client, async (request, options) => {
      const answer = await client.send(request, options);
      if (request.operation === 'Get natural persons') await deliverUntimed(id);
      return answer;
    });
    await world.repair({ client: after });
    expect(await world.entityStore.read(person(id))).toMatchObject({ toReadBack: true });
  });

  it('is reported as gone, and not repaired, when the platform does not know the person', async () => {
    const id = '00000000-0000-4000-8000-000000000001';
    await deliverUntimed(id);
    const report = await world.reconcile({ mode: 'repair' });
    expect(report.counts['natural-person']).toEqual({ ...nothing, gone: 1 });
    expect(report.gaps).toMatchObject([{ kind: 'natural-person', id, what: 'gone' }]);
    expect(await world.storeAll()).toBe(0);
    expect(world.counted()).toMatchObject({ EntitiesGone: 1 });
    expect(world.lines.text()).not.toContain('drift found');
  });
});

describe('a run with more marked persons than it reads back', () => {
  const marked = 60;
  /** Ten calls in half of 840 seconds. */
  const callsPerSecond = 10 / 420;

  /** A repair. Gives how many persons were read back by a call of their own. */
  async function repair(): Promise<number> {
    const { client } = contract();
    let reads = 0;
    const counting = clientWith(client, (request, options) => {
      if (request.operation === 'Get natural person') reads += 1;
      return client.send(request, options);
    });
    expect(await world.repair({ client: counting, callsPerSecond, listEveryHours: 24 })).toMatchObject({
      outcome: 'complete',
    });
    return reads;
  }

  async function markedNow(): Promise<number> {
    const ids = (await world.persons()).map(({ id }) => id);
    const entities = await Promise.all(ids.map((id) => world.entityStore.read(person(id))));
    return entities.filter((entity) => entity?.toReadBack).length;
  }

  it('settles them by the pages of the list, without a call for each, also before the list is due', async () => {
    await repair();
    await makeMarked(marked);
    await contract().advance(3_600);
    expect(await repair()).toBeLessThan(30);
    await expectNoDrift();
  });

  it('settles none by a page within the grace period, but reads them back run by run', async () => {
    await makeMarked(marked);
    await repair();
    const left = await markedNow();
    expect(left).toBeGreaterThan(20);
    await repair();
    expect(await markedNow()).toBeLessThan(left);
    for (let run = 0; run < 6; run += 1) await repair();
    await expectNoDrift();
  });

  it('counts all of them in a report', async () => {
    await makeMarked(marked);
    const { counts } = await world.reconcile({ mode: 'report' }, { callsPerSecond });
    expect(counts['natural-person'].readBack).toBe(marked);
  });
});

describe('a verification whose last report is too old', () => {
  const kind = 'identification-verification';

  /** A verification that a webhook has reported as RECEIVED. */
  async function makeVerification(): Promise<string> {
    const naturalPersonId = await world.makePerson('CREATED');
    const id = await world.makeVerification(naturalPersonId);
    const { createdOn: modifiedOn } = contract().platform.verifications.get(id);
    const body = { identificationVerificationId: id, naturalPersonId, status: 'RECEIVED', modifiedOn };
    await world.deliver(verifications, body);
    return id;
  }

  it('is read back, on behalf of the person that a webhook named, and not before its time', async () => {
    const id = await makeVerification();
    await contract().advance(5 * 3_600);
    expect(await world.countsOf(kind, 'repair')).toEqual(nothing);
    expect(await world.entityStore.read({ kind, id })).toMatchObject({ status: 'RECEIVED' });
    await contract().advance(2 * 3_600);
    const { counts } = await world.repair();
    expect(counts[kind]).toEqual({ ...nothing, checked: 1, drifted: 1, repaired: 1 });
    expect(await world.entityStore.read({ kind, id })).toMatchObject({ status: 'PENDING' });
  });

  it('is listed as unanswered when its person is unknown', async () => {
    const id = '00000000-0000-4000-8000-000000000002';
    const modifiedOn = contract().platform.clock.now().toISOString();
    await world.deliver(verifications, { identificationVerificationId: id, status: 'PENDING', modifiedOn });
    await contract().advance(7 * 3_600);
    const { counts, gaps } = await world.reconcile({ mode: 'repair' });
    expect(counts[kind]).toEqual({ ...nothing, checked: 1, unanswered: 1 });
    expect(gaps).toMatchObject([{ id, what: 'unanswered' }]);
  });

  it('is asked for once more after a week and is stale then, as are transfers, and orders unasked', async () => {
    await makeVerification();
    await contract().advance(sixHours);
    await world.repair();
    world.counted();
    const heard = contract().platform.clock.now().toISOString();
    await world.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', { orderId: 'o-1', status: 'PENDING' });
    await world.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', { orderId: 'o-2', status: 'SETTLED' });
    await world.deliver(transfers, { transferId: 't-1', status: 'PENDING' });
    await world.deliver(transfers, { transferId: 't-2', status: 'A_NEW_WORD' });
    await contract().advance((7 * 24 * hour) / 1_000);
    const { counts, gaps, oldestStale } = await world.reconcile({ mode: 'repair' });
    expect(counts).toMatchObject({
      [kind]: { ...nothing, checked: 1, stale: 1 },
      order: { ...nothing, stale: 1 },
      transfer: { ...nothing, checked: 1, stale: 1, unanswered: 1 },
    });
    expect(gaps.filter(({ what }) => what === 'stale').map(({ id }) => id)).toEqual(
      expect.arrayContaining(['o-1', 't-1']),
    );
    expect(oldestStale).toBe(heard);
    expect(world.counted()).toMatchObject({ EntitiesStale: 3 });
    expect((await world.reconcile({ mode: 'repair' })).counts).toMatchObject({
      [kind]: { ...nothing, stale: 1 },
      order: { ...nothing, stale: 1 },
      transfer: { ...nothing, stale: 1 },
    });
  });
});

describe('a transfer whose last report is too old', () => {
  const read = (id: string) => world.entityStore.read({ kind: 'transfer', id });

  it.each([
    ['', (answer: object) => answer],
    [', in a wrapper', (transfer: object) => ({ transfer })],
  ])('is read back, on behalf of the person that a webhook named%s', async (_, wrap) => {
    const { naturalPersonId, transfer } = await openAccount(contract(), 100);
    const { transferId: id } = await transfer('OUT', 40);
    await contract().advance(5);
    const reported = contract().platform.transfers.get(id);
    const { status, modifiedOn } = reported;
    await world.deliver(transfers, wrap({ transferId: id, naturalPersonId, status, modifiedOn }));
    expect(await read(id)).toMatchObject({ status: 'PENDING' });
    await contract().control('POST', `/transfers/${id}/complete`, {});
    await contract().advance(sixHours);
    const { counts } = await world.repair();
    expect(counts.transfer).toEqual({ ...nothing, checked: 1, drifted: 1, repaired: 1 });
    const completed = contract().platform.transfers.get(id);
    expect(await read(id)).toMatchObject({ status: 'PROCESSED', modifiedOn: completed.modifiedOn });
    expect(world.published).toContainEqual({
      detailType: 'DriftRepaired',
      detail: expect.objectContaining({ kind: 'transfer', id, differed: ['status', 'modifiedOn'] }),
    });
    expect(await world.countsOf('transfer', 'repair')).toEqual(nothing);
  });

  it('is listed as gone when the platform does not know it, and as unanswered when its person is unknown', async () => {
    const naturalPersonId = await world.makePerson();
    const [gone, unanswered] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    await world.deliver(transfers, { transferId: gone, naturalPersonId, status: 'PENDING' });
    await world.deliver(transfers, { transferId: unanswered, status: 'PENDING' });
    await contract().advance(sixHours);
    const { counts, gaps } = await world.reconcile({ mode: 'repair' });
    expect(counts.transfer).toEqual({ ...nothing, checked: 2, gone: 1, unanswered: 1 });
    expect(gaps).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: gone, what: 'gone' }),
        expect.objectContaining({ id: unanswered, what: 'unanswered' }),
      ]),
    );
  });
});

/** A client that aborts this run before it asks for the nth page of persons. */
function stopAtPage(nth: number, asked: unknown[] = []) {
  const { client } = contract();
  const stop = new AbortController();
  const stopping = clientWith(client, (request, options) => {
    asked.push(request.query?.['cursor']);
    if (asked.length === nth) stop.abort();
    return client.send(request, options);
  });
  return { client: stopping, signal: stop.signal };
}

describe('a report', () => {
  it('finds what a repair would find, and writes nothing', async () => {
    const [id = ''] = await makePersons(3);
    await world.deliver(persons, { naturalPersonId: id });
    await contract().advance(3_600);
    const written: string[] = [];
    emulators.watch(({ operation, when }) => {
      if (when === 'before' && !/^(Get|Query|Scan)/.test(operation)) written.push(operation);
    });
    const found = { ...nothing, checked: 3, drifted: 2, readBack: 1 };
    expect(await countsOf('report')).toEqual(found);
    expect([written, world.counted()]).toEqual([[], {}]);
    emulators.unwatch();
    expect(await world.storeAll()).toBe(0);
    expect(await countsOf('repair')).toEqual({ ...found, repaired: 2 });
  });

  it('says where it continues when its time is over, and ends with the same counts', async () => {
    await makeUnreported(5);
    let report = await world.reconcile({ mode: 'report' });
    const whole = report.counts;
    let invocations = 0;
    let from: unknown;
    do {
      const { client, signal } = stopAtPage(2);
      report = await world.reconcile({ mode: 'report', ...(from !== undefined && { from }) }, { client }, signal);
      invocations += 1;
      from = report.next && JSON.parse(JSON.stringify(report.next));
    } while (report.outcome === 'time is over');
    expect(report).toMatchObject({ outcome: 'complete', counts: whole });
    expect(invocations).toBe(3);
  });

  it('names what is stale once, however many invocations it takes', async () => {
    await makeUnreported(5);
    await world.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', { orderId: 'o-1', status: 'PENDING' });
    await contract().advance((7 * 24 * hour) / 1_000);
    const stale: unknown[] = [];
    let from: unknown;
    do {
      const { client, signal } = stopAtPage(2);
      const report = await world.reconcile({ mode: 'report', ...(from !== undefined && { from }) }, { client }, signal);
      stale.push(...report.gaps.filter(({ what }) => what === 'stale'));
      from = report.next && JSON.parse(JSON.stringify(report.next));
    } while (from !== undefined);
    expect(stale).toEqual([{ kind: 'order', id: 'o-1', what: 'stale', status: 'PENDING' }]);
  });

  it.each([{}, { mode: 'apply' }, { mode: 'report', seconds: 0 }, { mode: 'repair', from: {} }, 'repair', undefined])(
    'refuses %j',
    async (event) => {
      await expect(world.reconcile(event as object)).rejects.toThrow(/Invoke reconcile with/);
    },
  );
});

describe('a repair that is interrupted', () => {
  it('continues after an end of the process at any I/O', async () => {
    // A checkpoint after each page.
    const slow = { pace: async () => void (await contract().advance(10)) };
    await makeUnreported(3);
    const calls: string[] = [];
    emulators.watch(({ operation, when }) => void (when === 'before' && calls.push(operation)));
    await world.reconcile({ mode: 'repair' }, slow);
    emulators.unwatch();
    // One empty shard is as good as another, and one segment.
    const crashes = calls.flatMap((operation, index) => {
      if (/^(Query|Scan)$/.test(operation) && calls[index - 1] === operation) return [];
      const moments = /^(Put|Send)/.test(operation) ? ['before', 'after'] : ['before'];
      return moments.map((when) => ({ at: index + 1, when }));
    });
    expect(crashes.length).toBeGreaterThan(20);
    for (const { at, when } of crashes) {
      world = await createReconcileWorld(emulators, contract());
      let count = 0;
      let hasCrashed = false;
      emulators.watch((moment) => {
        if (moment.when === 'before') count += 1;
        if (count !== at || moment.when !== when) return;
        hasCrashed = true;
        throw new Error('The process ends here.');
      });
      await world.reconcile({ mode: 'repair' }, slow).catch(() => undefined);
      emulators.unwatch();
      const { outcome, counts } = await world.repair();
      expect({ at, when, hasCrashed, outcome }).toEqual({ at, when, hasCrashed: true, outcome: 'complete' });
      expect(counts['natural-person'].checked).toBe(3);
      await expectNoDrift();
    }
  }, 300_000);

  it('continues at the page after the last one when its time is over', async () => {
    await makeUnreported(6);
    const asked: unknown[] = [];
    const stopped = stopAtPage(3, asked);
    const first = await world.reconcile({ mode: 'repair' }, { client: stopped.client }, stopped.signal);
    expect(first).toMatchObject({
      outcome: 'time is over',
      counts: { 'natural-person': { checked: 4, repaired: 4 } },
    });
    // The checkpoint has it: only a report names where it continues.
    expect(first).not.toHaveProperty('next');
    const second = await world.reconcile({ mode: 'repair' }, { client: stopped.client });
    expect(second).toMatchObject({ outcome: 'complete', counts: { 'natural-person': { checked: 6, repaired: 6 } } });
    expect(second.beganOn).toBe(first.beganOn);
    // The first page has no cursor, the page at which it was stopped is read again.
    expect(asked[3]).toBe(asked[2]);
    expect(asked).toHaveLength(4);
    // What is due was taken in both runs.
    expect(world.counted()).toMatchObject({ ReconciliationsCompleted: 2 });
  });

  it('lets one of two overlapping runs continue and ends the other', async () => {
    await makeUnreported(4);
    const runs = await Promise.all([world.reconcile({ mode: 'repair' }), world.reconcile({ mode: 'repair' })]);
    expect(runs.map(({ outcome }) => outcome).toSorted()).toEqual(['another run is at work', 'complete']);
    await world.storeAll();
    await expectNoDrift();
  });
});

describe('a repair during a failure', () => {
  it('fails and counts as no walk when the platform is down', async () => {
    await makeUnreported(3);
    await contract().control('POST', '/faults', { operation: 'listNaturalPersons', effect: 'ANSWER', status: 500 });
    await expect(world.reconcile({ mode: 'repair' })).rejects.toThrow(PlatformError);
    expect(world.counted()).not.toHaveProperty('ReconciliationsCompleted');
    await contract().control('DELETE', '/faults');
    expect(await countsOf('repair')).toMatchObject({ drifted: 3 });
  });

  it('fails when the queue accepts nothing, and checks the page again', async () => {
    await makeUnreported(3);
    const queue = { sendAll: async () => Promise.reject(new DrawbridgeError('QueueError', 'SQS is down.')) };
    await expect(world.reconcile({ mode: 'repair' }, { queue })).rejects.toThrow(
      expect.objectContaining({ code: 'QueueError' }),
    );
    expect(await countsOf('repair')).toEqual({ ...nothing, checked: 3, drifted: 3, repaired: 3 });
  });

  it('continues after the last page that was handed over when the queue then fails', async () => {
    await makeUnreported(6);
    let batches = 0;
    const failing: ReconcileWorld['deps']['queue'] = {
      sendAll: async (messages) => {
        batches += messages.length === 0 ? 0 : 1;
        if (batches > 2) throw new DrawbridgeError('QueueError', 'SQS is down.');
        await world.deps.queue.sendAll(messages);
      },
    };
    await expect(world.reconcile({ mode: 'repair' }, { queue: failing })).rejects.toThrow('SQS is down.');
    const { counts } = await world.reconcile({ mode: 'repair' });
    expect(counts['natural-person']).toEqual({ ...nothing, checked: 6, drifted: 6, repaired: 6 });
    // None was checked twice.
    expect(world.counted()).toMatchObject({ EntitiesReconciled: 6 });
  });

  it('keeps failing in an outage between two readings of the lists, and forgets failures after a run without one', async () => {
    const daily = { listEveryHours: 24 };
    const failedRuns = async () => (await world.deps.checkpoint.open()).progress.stumbles;
    await world.repair(daily);
    await makeMarked(5);
    await contract().advance(3_600);
    await contract().control('POST', '/faults', { effect: 'ANSWER', status: 500 });
    for (let run = 0; run < 6; run += 1)
      await expect(world.reconcile({ mode: 'repair' }, daily)).rejects.toThrow(PlatformError);
    await contract().control('DELETE', '/faults');
    await world.repair(daily);
    await contract().control('POST', '/faults', { effect: 'ANSWER', status: 500 });
    await makeMarked(5);
    await expect(world.reconcile({ mode: 'repair' }, daily)).rejects.toThrow(PlatformError);
    expect(await failedRuns()).toBe(1);
    await contract().control('DELETE', '/faults');
    await world.repair(daily);
    expect(await failedRuns()).toBe(0);
  });

  it('reads the list again after a refused cursor and misses no person', async () => {
    await makeUnreported(5);
    const { client } = contract();
    let refused = 0;
    const refusing = clientWith(client, async (request, options) => {
      const isFirst = request.query?.['cursor'] === undefined;
      if (isFirst || refused > 0) return client.send(request, options);
      refused += 1;
      return client.send({ ...request, query: { ...request.query, cursor: 'of-yesterday' } }, options);
    });
    expect(await world.repair({ client: refusing })).toMatchObject({ outcome: 'complete' });
    await expectNoDrift();
  });

  it('repairs the persons of a page whose cursor is too long for a row, then fails with what to do', async () => {
    await makeUnreported(2);
    const client = clientWithList(contract().client, ({ data }) => ({
      data,
      pagination: { cursor: 'x'.repeat(500_000) },
    }));
    await expect(world.reconcile({ mode: 'repair' }, { client })).rejects.toThrow("ask the platform's support");
    await world.storeAll();
    await expectNoDrift();
  });

  it('repairs the persons of a list that starts over with new cursors, then fails and says what to do', async () => {
    await makeUnreported(2);
    const whole = clientWith(contract().client, (request, options) =>
      contract().client.send({ ...request, query: { limit: 20 } }, options),
    );
    let page = 0;
    const client = clientWithList(whole, ({ data }) => {
      page += 1;
      return { data, pagination: { cursor: `${page}` } };
    });
    await expect(world.reconcile({ mode: 'repair' }, { client })).rejects.toThrow("ask the platform's support");
    expect(page).toBeLessThan(20);
    await world.storeAll();
    await expectNoDrift();
  });

  it('reads back the other persons when the platform always fails at one', async () => {
    const ids = await makeMarked(3);
    const { client } = contract();
    const failing = clientWith(client, (call, options) =>
      call.path.endsWith(`/${ids[1]}`)
        ? Promise.reject(httpError({ status: 500, isRetryable: true }))
        : client.send(call, options),
    );
    await contract().advance(3_600);
    const { counts } = await world.reconcile({ mode: 'repair' }, { client: failing });
    expect(counts['natural-person']).toMatchObject({ readBack: 2, unanswered: 1 });
    expect(world.counted()).toMatchObject({ ReadBacksUnanswered: 1 });
  });

  it('fails three times when the platform fails at one person after the other, and passes over them in the fourth run', async () => {
    await makeMarked(5);
    await contract().advance(3_600);
    await contract().control('POST', '/faults', { operation: 'getNaturalPerson', effect: 'ANSWER', status: 500 });
    for (let run = 0; run < 3; run += 1)
      await expect(world.reconcile({ mode: 'repair' })).rejects.toThrow(PlatformError);
    const { outcome, counts } = await world.reconcile({ mode: 'repair' });
    expect(outcome).toBe('complete');
    expect(counts['natural-person']).toEqual({ ...nothing, checked: 5, unanswered: 5 });
  });

  it('repairs the other persons of a page when some of its persons cannot be read', async () => {
    await makeUnreported(2);
    const client = clientWithList(contract().client, ({ data, pagination }) => {
      const [known] = data;
      const broken = [
        'nobody',
        { ...known, naturalPersonId: {} },
        { ...known, naturalPersonStatus: 'Erika Mustermann' },
        { ...known, modifiedOn: 'yesterday' },
      ];
      return { data: [...broken, ...data], pagination };
    });
    const report = await world.repair({ client });
    const counts = { ...nothing, checked: 6, drifted: 2, repaired: 2, unanswered: 4 };
    expect(report.counts['natural-person']).toEqual(counts);
    expect(JSON.stringify(report)).not.toContain('Mustermann');
    await expectNoDrift();
  });
});

describe('the rate limit of reconciliation', () => {
  it('lets every call of a walk wait for its turn', async () => {
    const [first = '', second = ''] = await makePersons(4);
    for (const naturalPersonId of [first, second]) await world.deliver(persons, { naturalPersonId });
    const turns: number[] = [];
    let time = 0;
    const pace = createPace({
      callsPerSecond: 2,
      now: () => new Date(time),
      wait: async (milliseconds) => {
        time += milliseconds;
      },
    });
    const { client } = contract();
    let calls = 0;
    const counted = clientWith(client, (request, options) => {
      calls += 1;
      return client.send(request, options);
    });
    const paced = async (signal: AbortSignal) => {
      await pace(signal);
      turns.push(time);
    };
    await world.reconcile({ mode: 'repair' }, { pace: paced, client: counted });
    // Two pages, and two persons to be read back.
    expect([calls, turns]).toEqual([4, [0, 500, 1_000, 1_500]]);
  });

  it('saves up no unused time', async () => {
    let time = 0;
    const waits: number[] = [];
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    const pace = createPace({ callsPerSecond: 1, now: () => new Date(time), wait });
    const { signal } = new AbortController();
    await pace(signal);
    time = 10 * minute;
    for (let calls = 0; calls < 3; calls += 1) await pace(signal);
    expect(waits).toEqual([1_000, 2_000]);
  });

  it('begins no call once the time of the run is over', async () => {
    const pace = createPace({ callsPerSecond: 1, now: () => new Date(), wait: async () => undefined });
    await expect(pace(AbortSignal.abort(new CheckpointConflictError('over')))).rejects.toThrow('over');
  });
});
