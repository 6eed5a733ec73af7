import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createPace } from '#functions/retry-undelivered/reconcile/pace.ts';
import { CheckpointConflictError } from '#shared/aws/checkpoint.ts';
import { QueueError } from '#shared/aws/queue.ts';
import { gapReport } from '#shared/bus/gap-report.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { PlatformCursorError, PlatformError, PlatformPagingError } from '#shared/platform/client/errors.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { useContract } from '#test/spec/contract.ts';
import { openAccount } from '#test/spec/trading.ts';
import { createReconcileWorld, hour, minute, type ReconcileWorld } from './reconcile-world.ts';

const contract = useContract({
  profile: platformProfile.parse({ pageSize: 2 }),
  settings: { acceptSelfBeforeActive: true },
});
const persons = 'NATURAL_PERSON_NOTIFICATION';
const verifications = 'IDENTIFICATION_VERIFICATION_NOTIFICATION';
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

async function makePersons(number: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let made = 0; made < number; made += 1) ids.push(await world.makePerson());
  return ids;
}

const person = (id: string): EntityKey => ({ kind: 'natural-person', id });
const countsOf = async (event: object) => (await world.reconcile(event)).counts['natural-person'];
const nothing = { checked: 0, drifted: 0, repaired: 0, readBack: 0, stale: 0, gone: 0, unanswered: 0 };

describe('reconciliation finds what webhooks failed to report', () => {
  it('repairs every person without a report in one walk', async () => {
    await makePersons(5);
    await contract().advance(3_600);
    const report = await world.reconcile({ mode: 'repair' });
    expect(report).toMatchObject({ mode: 'repair', outcome: 'complete', furtherGaps: 0 });
    expect(report.counts['natural-person']).toEqual({ ...nothing, checked: 5, drifted: 5, repaired: 5 });
    expect(report.gaps).toHaveLength(5);
    expect(gapReport.parse(JSON.parse(JSON.stringify(report)))).toMatchObject({ outcome: 'complete' });
    expect(await world.storeAll()).toBe(5);
    expect(await world.entitiesOf()).toEqual(await world.persons());
    expect(world.counted()).toMatchObject({ EntitiesReconciled: 5, DriftFound: 5, ReconciliationsCompleted: 1 });
    expect(world.published.filter(({ detailType }) => detailType === 'DriftRepaired')).toHaveLength(5);
  });

  it('and says what differed, without a name', async () => {
    const [id = ''] = await makePersons(1);
    await contract().advance(3_600);
    await world.reconcile({ mode: 'repair' });
    await world.storeAll();
    await contract().control('POST', `/natural-persons/${id}/status`, { naturalPersonStatus: 'SUSPENDED' });
    await contract().advance(3_600);
    const report = await world.reconcile({ mode: 'repair' });
    expect(report.gaps).toEqual([
      {
        kind: 'natural-person',
        id,
        what: 'drifted',
        differed: ['status', 'modifiedOn'],
        status: 'ACTIVE',
        platformStatus: 'SUSPENDED',
      },
    ]);
    await world.storeAll();
    expect(world.published.at(-1)).toMatchObject({
      detailType: 'DriftRepaired',
      detail: { id, differed: ['status', 'modifiedOn'], statusBefore: 'ACTIVE', status: 'SUSPENDED' },
    });
    const { lastName, contact } = contract().platform.persons.get(id);
    const told = JSON.stringify([report, world.published]) + world.lines.text();
    for (const canary of [lastName, contact?.email ?? '']) expect(told).not.toContain(canary);
    expect(world.lines.text()).not.toContain(id);
  });

  it('a second walk finds nothing, and sends nothing', async () => {
    await makePersons(3);
    await contract().advance(3_600);
    await world.reconcile({ mode: 'repair' });
    await world.storeAll();
    expect(await countsOf({ mode: 'repair' })).toEqual({ ...nothing, checked: 3 });
    expect(await world.storeAll()).toBe(0);
  });
});

describe('reconciliation repairs nothing that has not drifted', () => {
  it('leaves a change alone whose webhook may be under way', async () => {
    await makePersons(3);
    await contract().advance(4 * 60);
    expect(await countsOf({ mode: 'repair' })).toEqual({ ...nothing, checked: 3 });
    await contract().advance(2 * 60);
    expect(await countsOf({ mode: 'repair' })).toMatchObject({ drifted: 3 });
  });

  it('leaves a report alone that is newer than the page', async () => {
    const [id = ''] = await makePersons(1);
    await contract().advance(3_600);
    const modifiedOn = contract().platform.clock.now().toISOString();
    await world.deliver(persons, { naturalPersonId: id, status: 'BLOCKED', modifiedOn });
    expect(await countsOf({ mode: 'repair' })).toEqual({ ...nothing, checked: 1 });
    expect(await world.entityStore.read(person(id))).toMatchObject({ status: 'BLOCKED' });
  });

  it('a person that is erased stays so, at every walk', async () => {
    const [id = ''] = await makePersons(1);
    await world.entityStore.erase(person(id), async () => undefined);
    await contract().advance(3_600);
    expect(await countsOf({ mode: 'repair' })).toEqual({ ...nothing, checked: 1 });
    expect(await world.storeAll()).toBe(0);
  });
});

describe('an untimed report marks a person to be read back and the answer settles it', () => {
  async function hear(id: string, notificationType = 'UPDATED'): Promise<void> {
    await contract().advance(1);
    await world.deliver(persons, { naturalPersonId: id, notificationType, at: contract().platform.clock.now() });
  }

  it('at the next run, and that is no drift', async () => {
    const [id = ''] = await makePersons(1);
    await hear(id);
    expect(await world.entityStore.read(person(id))).toMatchObject({ status: undefined, toReadBack: true });
    expect(await countsOf({ mode: 'repair' })).toEqual({ ...nothing, checked: 1, readBack: 1 });
    await world.storeAll();
    expect(await world.entityStore.read(person(id))).toMatchObject({ status: 'ACTIVE', toReadBack: false });
    expect(world.published.map(({ detailType }) => detailType)).not.toContain('DriftRepaired');
    expect(await countsOf({ mode: 'repair' })).toEqual({ ...nothing, checked: 1 });
  });

  it('keeps the mark of a report that comes during the read', async () => {
    const [id = ''] = await makePersons(1);
    await hear(id);
    const { client } = contract();
    let isHeard = false;
    const during: typeof client.send = async (request, options) => {
      const answer = await client.send(request, options);
      if (!isHeard && request.operation === 'Get natural person') await hear(id, 'MEANWHILE');
      isHeard ||= request.operation === 'Get natural person';
      return answer;
    };
    const request: typeof client.request = async (schema, call, options) =>
      schema.parse(JSON.parse(Buffer.from((await during(call, options)).body).toString()));
    await world.reconcile({ mode: 'repair' }, { client: { ...client, send: during, request } });
    expect(isHeard).toBe(true);
    await world.storeAll();
    expect(await world.entityStore.read(person(id))).toMatchObject({ status: 'ACTIVE', toReadBack: true });
    await world.reconcile({ mode: 'repair' });
    await world.storeAll();
    expect(await world.entityStore.read(person(id))).toMatchObject({ status: 'ACTIVE', toReadBack: false });
  });

  it('settles nothing by a page that was read before the report came', async () => {
    const [id = ''] = await makePersons(1);
    await contract().advance(3_600);
    const { client } = contract();
    const send: typeof client.send = async (request, options) => {
      const answer = await client.send(request, options);
      if (request.operation === 'Get natural persons') await hear(id);
      return answer;
    };
    await world.reconcile({ mode: 'repair' }, { client: { ...client, send } });
    await world.storeAll();
    expect(await world.entityStore.read(person(id))).toMatchObject({ toReadBack: true });
  });

  it('a person that the platform does not know is reported, and not repaired', async () => {
    const id = '00000000-0000-4000-8000-000000000001';
    await hear(id);
    const report = await world.reconcile({ mode: 'repair' });
    expect(report.counts['natural-person']).toEqual({ ...nothing, gone: 1 });
    expect(report.gaps).toMatchObject([{ kind: 'natural-person', id, what: 'gone' }]);
    expect(await world.storeAll()).toBe(0);
  });

  it('more of them than there are shards', async () => {
    const ids = await makePersons(40);
    for (const id of ids) await world.deliver(persons, { naturalPersonId: id });
    await contract().advance(3_600);
    expect(await countsOf({ mode: 'repair' })).toEqual({ ...nothing, checked: 40, readBack: 40 });
    await world.storeAll();
    expect(await world.entitiesOf()).toEqual(await world.persons());
  });

  describe('when there are more than a run reads back', () => {
    /** Ten calls in half of 840 seconds. */
    const callsPerSecond = 10 / 420;

    async function markPersons(): Promise<void> {
      for (const id of await makePersons(60)) await world.deliver(persons, { naturalPersonId: id });
    }

    async function repair(): Promise<readonly string[]> {
      const { client } = contract();
      const operations: string[] = [];
      const send: typeof client.send = (request, options) => {
        operations.push(request.operation);
        return client.send(request, options);
      };
      const request: typeof client.request = async (schema, call, options) =>
        schema.parse(JSON.parse(Buffer.from((await send(call, options)).body).toString()));
      const spied = { ...client, send, request };
      expect(await world.reconcile({ mode: 'repair' }, { client: spied, callsPerSecond })).toMatchObject({
        outcome: 'complete',
      });
      await world.storeAll();
      return operations;
    }

    const markedNow = async () =>
      (await Promise.all((await world.persons()).map(({ id }) => world.entityStore.read(person(id))))).filter(
        (entity) => entity?.toReadBack,
      ).length;

    it('settles the others by the pages of the list, without a call for each', async () => {
      await markPersons();
      await contract().advance(3_600);
      const operations = await repair();
      expect(operations.filter((operation) => operation === 'Get natural person').length).toBeLessThan(30);
      expect(await world.entitiesOf()).toEqual(await world.persons());
    });

    it('settles none by a page within the grace period, and reads the rest back run by run', async () => {
      await markPersons();
      await repair();
      const left = await markedNow();
      expect(left).toBeGreaterThan(20);
      await repair();
      expect(await markedNow()).toBeLessThan(left);
      for (let run = 0; run < 6; run += 1) await repair();
      expect(await world.entitiesOf()).toEqual(await world.persons());
    });

    it('counts all of them in a report', async () => {
      await markPersons();
      expect((await world.reconcile({ mode: 'report' }, { callsPerSecond })).counts['natural-person'].readBack).toBe(
        60,
      );
    });
  });
});

describe('entities whose last report is too old', () => {
  async function makeVerification() {
    const [naturalPersonId = ''] = [await world.makePerson('CREATED')];
    const body = { naturalPersonId, externalVerifier: 'EXTERNAL_VERIFIER_ID', identificationType: 'VIDEO_IDENT' };
    const headers = { 'Requestor-ID': naturalPersonId };
    const { body: made } = await contract().call('POST', '/entities/identification-verifications', { body, headers });
    const id = z.object({ identificationVerificationId: z.string() }).parse(made).identificationVerificationId;
    const { createdOn } = contract().platform.verifications.get(id);
    const { platform } = contract();
    await world.deliver(
      verifications,
      { identificationVerificationId: id, naturalPersonId, status: 'RECEIVED', modifiedOn: createdOn },
      platform.clock.now(),
    );
    return { id, naturalPersonId };
  }

  const read = (id: string) => world.entityStore.read({ kind: 'identification-verification', id });

  it('a verification is read back, on behalf of the person that a webhook named', async () => {
    const { id } = await makeVerification();
    expect(await read(id)).toMatchObject({ status: 'RECEIVED' });
    await contract().advance(7 * 3_600);
    const { counts } = await world.reconcile({ mode: 'repair' });
    expect(counts['identification-verification']).toEqual({ ...nothing, checked: 1, drifted: 1, repaired: 1 });
    await world.storeAll();
    expect(await read(id)).toMatchObject({ status: 'PENDING' });
  });

  it('but not before its time', async () => {
    await makeVerification();
    await contract().advance(5 * 3_600);
    const { counts } = await world.reconcile({ mode: 'repair' });
    expect(counts['identification-verification']).toEqual({ ...nothing, checked: 1 });
  });

  it('lists an entity as unanswered when its person is unknown', async () => {
    const id = '00000000-0000-4000-8000-000000000002';
    const modifiedOn = contract().platform.clock.now().toISOString();
    await world.deliver(verifications, { identificationVerificationId: id, status: 'PENDING', modifiedOn });
    await contract().advance(7 * 3_600);
    const { counts, gaps } = await world.reconcile({ mode: 'repair' });
    expect(counts['identification-verification']).toEqual({ ...nothing, checked: 1, unanswered: 1 });
    expect(gaps).toMatchObject([{ id, what: 'unanswered' }]);
  });

  it('is stale after a week, and then asked for no more; orders cannot be asked for', async () => {
    await makeVerification();
    const { now } = contract().platform.clock;
    const heard = now().toISOString();
    await world.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', { orderId: 'o-1', status: 'PENDING' });
    await world.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', { orderId: 'o-2', status: 'SETTLED' });
    await world.deliver('TRANSFER_NOTIFICATION', { transferId: 't-1', status: 'PENDING' });
    await world.deliver('TRANSFER_NOTIFICATION', { transferId: 't-2', status: 'A_NEW_WORD' });
    await contract().advance((7 * 24 * hour) / 1_000);
    const { counts, gaps, oldestStale } = await world.reconcile({ mode: 'repair' });
    expect(counts).toMatchObject({
      'identification-verification': { ...nothing, checked: 1, stale: 1 },
      order: { ...nothing, checked: 2, stale: 1 },
      transfer: { ...nothing, checked: 2, stale: 1 },
    });
    expect(gaps.filter(({ what }) => what === 'stale').map(({ id }) => id)).toEqual(
      expect.arrayContaining(['o-1', 't-1']),
    );
    expect(oldestStale).toBe(heard);
    expect(world.counted()).toMatchObject({ EntitiesStale: 3 });
  });
});

describe('a transfer whose last report is too old', () => {
  const transfers = 'TRANSFER_NOTIFICATION';
  const sixHours = 6 * 3_600;
  const read = (id: string) => world.entityStore.read({ kind: 'transfer', id });
  const transferCounts = async () => (await world.reconcile({ mode: 'repair' })).counts.transfer;

  /** It was reported as PENDING, and has been completed since: no webhook reported that. */
  async function completeUnheard(wrap: (told: object) => object) {
    const account = await openAccount(contract(), 100);
    const { transferId } = await account.transfer('OUT', 40);
    await contract().advance(5);
    const { status, modifiedOn } = contract().platform.transfers.get(transferId);
    const { naturalPersonId } = account;
    await world.deliver(transfers, wrap({ transferId, naturalPersonId, status, modifiedOn }));
    expect(await read(transferId)).toMatchObject({ status: 'PENDING' });
    await contract().control('POST', `/transfers/${transferId}/complete`, {});
    await contract().advance(sixHours);
    return transferId;
  }

  it.each([
    ['', (told: object) => told],
    [', in a wrapper', (transfer: object) => ({ transfer })],
  ])('is read back, on behalf of the person that a webhook named%s', async (_, wrap) => {
    const id = await completeUnheard(wrap);
    expect(await transferCounts()).toEqual({ ...nothing, checked: 1, drifted: 1, repaired: 1 });
    await world.storeAll();
    const { status, modifiedOn } = contract().platform.transfers.get(id);
    expect(await read(id)).toMatchObject({ status: 'PROCESSED', modifiedOn });
    expect(status).toBe('PROCESSED');
    const repaired = world.published.filter(({ detailType }) => detailType === 'DriftRepaired');
    expect(repaired.map(({ detail }) => detail)).toContainEqual(
      expect.objectContaining({ kind: 'transfer', id, differed: ['status', 'modifiedOn'] }),
    );
    expect(await transferCounts()).toEqual({ ...nothing, checked: 1 });
  });

  it('lists the transfer as gone when the platform does not know it, and as unanswered when its person is unknown', async () => {
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

describe('a report reads and writes nothing', () => {
  it('it finds what a repair would, and leaves it', async () => {
    const [id = ''] = await makePersons(3);
    await world.deliver(persons, { naturalPersonId: id });
    await contract().advance(3_600);
    const written: string[] = [];
    emulators.watch(({ operation, when }) => {
      if (when === 'before' && !/^(Get|Query|Scan)/.test(operation)) written.push(operation);
    });
    expect(await countsOf({ mode: 'report' })).toEqual({ ...nothing, checked: 3, drifted: 2, readBack: 1 });
    expect(written).toEqual([]);
    expect(world.counted()).toEqual({});
    emulators.unwatch();
    expect(await world.storeAll()).toBe(0);
    expect(await countsOf({ mode: 'repair' })).toEqual({
      ...nothing,
      checked: 3,
      drifted: 2,
      repaired: 2,
      readBack: 1,
    });
  });

  it('says where it continues when its time is over, and ends with the same counts', async () => {
    await makePersons(5);
    await contract().advance(3_600);
    let next: object | undefined;
    let invocations = 0;
    let report = await world.reconcile({ mode: 'report' });
    const whole = report.counts;
    do {
      const end = new AbortController();
      const { client } = contract();
      let pages = 0;
      const send: typeof client.send = async (request, options) => {
        pages += 1;
        if (pages === 2) end.abort();
        return client.send(request, options);
      };
      const event = { mode: 'report', ...(next && { from: JSON.parse(JSON.stringify(next)) }) };
      report = await world.reconcile(event, { client: { ...client, send } }, end.signal);
      invocations += 1;
      next = report.next;
    } while (report.outcome === 'time is over');
    expect(report).toMatchObject({ outcome: 'complete', counts: whole });
    expect(invocations).toBe(3);
  });

  it.each([{}, { mode: 'apply' }, { mode: 'report', seconds: 0 }, { mode: 'repair', from: {} }, 'repair', undefined])(
    'refuses %j, and does nothing',
    async (event) => {
      await expect(world.reconcile(event as object)).rejects.toThrow(/Invoke reconcile with/);
    },
  );
});

describe('continuing a reconciliation', () => {
  it('holds for an end of the process at any I/O', async () => {
    await makePersons(3);
    await contract().advance(3_600);
    const expected = await world.persons();
    const calls: string[] = [];
    emulators.watch(({ operation, when }) => void (when === 'before' && calls.push(operation)));
    await world.reconcile({ mode: 'repair' });
    emulators.unwatch();
    // One empty shard is as good as another.
    const firstShards = calls.indexOf('Query') + 2;
    const crashes = calls.flatMap((operation, index) => {
      if (operation === 'Query' && index > firstShards) return [];
      const at = index + 1;
      return /^(Put|Send)/.test(operation)
        ? [
            { at, when: 'before' },
            { at, when: 'after' },
          ]
        : [{ at, when: 'before' }];
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
      await world.reconcile({ mode: 'repair' }).catch(() => undefined);
      emulators.unwatch();
      const { outcome, counts } = await world.reconcile({ mode: 'repair' });
      expect({ at, when, hasCrashed, outcome }).toEqual({ at, when, hasCrashed: true, outcome: 'complete' });
      expect(counts['natural-person'].checked).toBe(3);
      await world.storeAll();
      expect(await world.entitiesOf()).toEqual(expected);
    }
  }, 300_000);

  it('at the page after the last one, when its time is over', async () => {
    await makePersons(6);
    await contract().advance(3_600);
    const asked: unknown[] = [];
    const { client } = contract();
    const end = new AbortController();
    const watched = (stopAt: number): typeof client => ({
      ...client,
      send: async (request, options) => {
        asked.push(request.query?.['cursor']);
        if (asked.length === stopAt) end.abort();
        return client.send(request, options);
      },
    });
    const first = await world.reconcile({ mode: 'repair' }, { client: watched(3) }, end.signal);
    expect(first).toMatchObject({
      outcome: 'time is over',
      counts: { 'natural-person': { checked: 4, repaired: 4 } },
    });
    const second = await world.reconcile({ mode: 'repair' }, { client: watched(0) });
    expect(second).toMatchObject({ outcome: 'complete', counts: { 'natural-person': { checked: 6, repaired: 6 } } });
    expect(second.beganOn).toBe(first.beganOn);
    // The first page has no cursor, the page at which it was stopped is read again.
    expect(asked[3]).toBe(asked[2]);
    expect(asked).toHaveLength(4);
    expect(world.counted()).toMatchObject({ ReconciliationsCompleted: 1 });
  });

  it('lets one of two overlapping runs continue and ends the other', async () => {
    await makePersons(4);
    await contract().advance(3_600);
    const runs = await Promise.all([world.reconcile({ mode: 'repair' }), world.reconcile({ mode: 'repair' })]);
    expect(runs.map(({ outcome }) => outcome).toSorted()).toEqual(['another run is at work', 'complete']);
    await world.storeAll();
    expect(await world.entitiesOf()).toEqual(await world.persons());
  });
});

describe('failure modes: a failed run recorded as success skips the next', () => {
  it('a platform that is down fails the run, and counts as no walk', async () => {
    await makePersons(3);
    await contract().advance(3_600);
    await contract().control('POST', '/faults', { operation: 'listNaturalPersons', effect: 'ANSWER', status: 500 });
    await expect(world.reconcile({ mode: 'repair' })).rejects.toThrow(PlatformError);
    expect(world.counted()).not.toHaveProperty('ReconciliationsCompleted');
    await contract().control('DELETE', '/faults');
    expect(await countsOf({ mode: 'repair' })).toMatchObject({ drifted: 3 });
  });

  it('fails when the queue accepts nothing, and checks the page again', async () => {
    await makePersons(3);
    await contract().advance(3_600);
    const queue = { sendAll: async () => Promise.reject(new QueueError('SQS is down.')) };
    await expect(world.reconcile({ mode: 'repair' }, { queue })).rejects.toThrow(QueueError);
    expect(await countsOf({ mode: 'repair' })).toEqual({ ...nothing, checked: 3, drifted: 3, repaired: 3 });
  });

  it('reads the list again after a refused cursor and misses no person', async () => {
    await makePersons(5);
    await contract().advance(3_600);
    const { client } = contract();
    let refused = 0;
    const send: typeof client.send = async (request, options) => {
      const isFirst = request.query?.['cursor'] === undefined;
      if (isFirst || refused > 0) return client.send(request, options);
      refused += 1;
      return client.send({ ...request, query: { ...request.query, cursor: 'of-yesterday' } }, options);
    };
    expect(await world.reconcile({ mode: 'repair' }, { client: { ...client, send } })).toMatchObject({
      outcome: 'complete',
    });
    await world.storeAll();
    expect(await world.entitiesOf()).toEqual(await world.persons());
  });

  it('repairs the persons of a page whose cursor is too long for a row, then fails with what to do', async () => {
    await makePersons(2);
    await contract().advance(3_600);
    const { client } = contract();
    const send: typeof client.send = async (request, options) => {
      const answer = await client.send(request, options);
      if (request.path !== '/entities/natural-persons') return answer;
      const { data } = JSON.parse(Buffer.from(answer.body).toString());
      return { ...answer, body: Buffer.from(JSON.stringify({ data, pagination: { cursor: 'x'.repeat(500_000) } })) };
    };
    await expect(world.reconcile({ mode: 'repair' }, { client: { ...client, send } })).rejects.toThrow(
      PlatformCursorError,
    );
    await world.storeAll();
    expect(await world.entitiesOf()).toEqual(await world.persons());
  });

  it('repairs the persons of a list that begins anew with new cursors, then fails with what to do', async () => {
    await makePersons(2);
    await contract().advance(3_600);
    const { client } = contract();
    let page = 0;
    const send: typeof client.send = async (request, options) => {
      const answer = await client.send({ ...request, query: { limit: 20 } }, options);
      const { data } = JSON.parse(Buffer.from(answer.body).toString());
      page += 1;
      return { ...answer, body: Buffer.from(JSON.stringify({ data, pagination: { cursor: `${page}` } })) };
    };
    await expect(world.reconcile({ mode: 'repair' }, { client: { ...client, send } })).rejects.toThrow(
      PlatformPagingError,
    );
    expect(page).toBeLessThan(20);
    await world.storeAll();
    expect(await world.entitiesOf()).toEqual(await world.persons());
  });

  it('one person that the platform always fails at holds up no other', async () => {
    const ids = await makePersons(3);
    for (const naturalPersonId of ids) await world.deliver(persons, { naturalPersonId });
    const { client } = contract();
    const request: typeof client.request = (schema, call, options) =>
      client.request(schema, call.path.endsWith(ids[1] ?? '') ? { ...call, path: '/nowhere/at/all' } : call, options);
    await contract().advance(3_600);
    const { counts } = await world.reconcile({ mode: 'repair' }, { client: { ...client, request } });
    expect(counts['natural-person']).toMatchObject({ readBack: 2, gone: 1 });
  });

  it('persons that it fails at one after the other fail the run: it is the platform; the fourth run passes over them', async () => {
    const ids = await makePersons(5);
    for (const naturalPersonId of ids) await world.deliver(persons, { naturalPersonId });
    await contract().advance(3_600);
    const listing = {
      ...world.deps.listing,
      toReadBack: async (shard: string) => ({ items: shard === '7' ? ids.map(person) : [], next: undefined }),
    };
    const fault = { operation: 'getNaturalPerson', effect: 'ANSWER', status: 500 };
    await contract().control('POST', '/faults', fault);
    for (let run = 0; run < 3; run += 1)
      await expect(world.reconcile({ mode: 'repair' }, { listing })).rejects.toThrow(PlatformError);
    const { outcome, counts } = await world.reconcile({ mode: 'repair' }, { listing });
    expect(outcome).toBe('complete');
    expect(counts['natural-person']).toEqual({ ...nothing, checked: 5, unanswered: 5 });
  });

  it('persons of the list that cannot be read do not spoil its page', async () => {
    await makePersons(2);
    await contract().advance(3_600);
    const { client } = contract();
    const send: typeof client.send = async (request, options) => {
      const answer = await client.send(request, options);
      const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
      const [known] = data;
      const broken = [
        'nobody',
        { ...known, naturalPersonId: {} },
        { ...known, naturalPersonStatus: 'Erika Mustermann' },
        { ...known, modifiedOn: 'yesterday' },
      ];
      return { ...answer, body: Buffer.from(JSON.stringify({ data: [...broken, ...data], pagination })) };
    };
    const report = await world.reconcile({ mode: 'repair' }, { client: { ...client, send } });
    expect(report.counts['natural-person']).toEqual({
      ...nothing,
      checked: 6,
      drifted: 2,
      repaired: 2,
      unanswered: 4,
    });
    expect(JSON.stringify(report)).not.toContain('Mustermann');
    await world.storeAll();
    expect(await world.entitiesOf()).toEqual(await world.persons());
  });
});

describe('the rate limit of reconciliation', () => {
  it('every call of a walk waits for its turn', async () => {
    const ids = await makePersons(4);
    for (const naturalPersonId of ids.slice(0, 2)) await world.deliver(persons, { naturalPersonId });
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
    const counted: typeof client = {
      ...client,
      send: (request, options) => {
        calls += 1;
        return client.send(request, options);
      },
      request: (schema, request, options) => {
        calls += 1;
        return client.request(schema, request, options);
      },
    };
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
    await pace(signal);
    await pace(signal);
    await pace(signal);
    expect(waits).toEqual([1_000, 2_000]);
  });

  it('ends every wait once the time of the run is over', async () => {
    const pace = createPace({ callsPerSecond: 1, now: () => new Date(), wait: async () => undefined });
    await expect(pace(AbortSignal.abort(new CheckpointConflictError('over')))).rejects.toThrow('over');
  });
});
