import { beforeEach, describe, expect, it } from 'vitest';
import { transferTransitions } from '#sandbox/platform/trading/transfers/transfer-states.ts';
import {
  type Fields,
  startTrading,
  type TestTrading,
  unknownId,
} from '#test/sandbox/platform/trading/trading-fixture.ts';

let trading: TestTrading;
beforeEach(async () => {
  trading = startTrading();
  await trading.fund(100);
});

const read = async (transferId: string) => (await trading.control('GET', `/transfers/${transferId}`)).body;
const complete = (transferId: string) => trading.control('POST', `/transfers/${transferId}/complete`);
const statusesSentOf = (id: string) => trading.sentOf(id).map(({ status }) => status);

async function processed(transfer: Fields = {}): Promise<string> {
  const transferId = await trading.createTransfer(transfer);
  await trading.clock.advance(1);
  return transferId;
}

describe('sandbox platform: the table of transfer statuses (section 3.4)', () => {
  it('has the transitions of section 3.4, and one to INVALID that the section does not show', () => {
    const final = { INVALID: [], REJECTED: [], PROCESSED: [] };
    const table = { RECEIVED: ['INVALID', 'PENDING', 'REJECTED'], PENDING: ['PROCESSED'], ...final };
    expect(transferTransitions).toEqual(table);
  });

  it('returns the id of an outgoing transfer that is RECEIVED', async () => {
    const transfer = { naturalPersonId: trading.person, direction: 'OUT', amount: 60.5, externalId: 'rent' };
    const created = await trading.control('POST', '/transfers', transfer);
    expect(created).toMatchObject({ status: 200, body: { transferId: expect.any(String), status: 'RECEIVED' } });
    expect(trading.transfers.all()).toMatchObject([
      { ...created.body, requestorId: trading.person, externalId: 'rent' },
    ]);
    expect(await trading.account()).toMatchObject({ cash: 100 });
    expect(trading.sent).toEqual([]);
  });

  it('moves a covered transfer from RECEIVED to PENDING, updates the balance and notifies', async () => {
    const transferId = await processed({ amount: 60.5 });
    expect(await read(transferId)).toMatchObject({ status: 'PENDING' });
    expect(await trading.account()).toMatchObject({ cash: 39.5 });
    expect(trading.sent).toEqual([
      { eventType: 'TRANSFER_NOTIFICATION', body: expect.objectContaining({ transferId, status: 'PENDING' }) },
    ]);
  });

  it('accepts a transfer of the whole balance, to the cent', async () => {
    expect(await read(await processed({ amount: 100 }))).toMatchObject({ status: 'PENDING' });
    expect(await trading.account()).toMatchObject({ cash: 0 });
  });

  it('moves a PENDING transfer to PROCESSED when the payment network completes it, and notifies', async () => {
    const transferId = await processed();
    expect(await complete(transferId)).toMatchObject({ status: 200, body: { status: 'PROCESSED' } });
    expect(statusesSentOf(transferId)).toEqual(['PENDING', 'PROCESSED']);
    expect(await trading.account()).toMatchObject({ cash: 0 });
  });

  it('moves a PENDING transfer to PROCESSED after the configured time', async () => {
    trading.settings.change({ transfersProcessedAfter: 86_400 });
    const transferId = await processed();
    await trading.clock.advance(86_399);
    expect(await read(transferId)).toMatchObject({ status: 'PENDING' });
    await trading.clock.advance(1);
    expect(await read(transferId)).toMatchObject({ status: 'PROCESSED' });
  });

  it('rejects a transfer that exceeds the balance, takes no money and notifies', async () => {
    const transferId = await processed({ amount: 100.01 });
    expect(await trading.account()).toMatchObject({ cash: 100 });
    expect(trading.sentOf(transferId)).toEqual([
      expect.objectContaining({ status: 'REJECTED', rejectReason: 'INSUFFICIENT_BALANCE' }),
    ]);
  });

  it('makes an incoming payment PROCESSED immediately, updates the balance and notifies', async () => {
    const transferId = await trading.createTransfer({ direction: 'IN', amount: 0.1 });
    await trading.createTransfer({ direction: 'IN', amount: 0.2 });
    expect(await trading.account()).toMatchObject({ cash: 100.3, settledCash: 100.3 });
    expect(trading.sentOf(transferId)).toEqual([
      expect.objectContaining({ status: 'PROCESSED', notificationType: 'CREATED', amount: 0.1, direction: 'IN' }),
    ]);
  });

  it('completes no transfer of any other status', async () => {
    trading.settings.change({ transfersPendingAfter: 5 });
    const received = await trading.createTransfer();
    expect((await complete(received)).text).toContain('It cannot become PROCESSED: it is RECEIVED');
    trading.settings.change({ transfersPendingAfter: 1 });
    const incoming = await trading.createTransfer({ direction: 'IN' });
    const rejected = await processed({ amount: 5_000 });
    for (const transferId of [received, incoming, rejected])
      expect(await complete(transferId)).toMatchObject({ status: 409, body: { responseType: 'CONFLICT' } });
    expect(await complete(unknownId)).toMatchObject({ status: 404 });
  });
});

describe('sandbox platform: INVALID transfers (section 3.4)', () => {
  it('makes a transfer INVALID when its requestor is not ACTIVE at processing time', async () => {
    trading.changeStatus(trading.person, 'SUSPENDED');
    const transferId = await processed();
    expect(trading.sentOf(transferId)).toEqual([
      expect.objectContaining({
        status: 'INVALID',
        notificationType: 'VALIDATION_ERROR',
        validationError: { errorType: 'VALIDATION_ERROR', description: expect.stringContaining('not ACTIVE') },
      }),
    ]);
    expect(await trading.account()).toMatchObject({ cash: 100 });
  });

  it('makes a transfer INVALID when its requestor may not act for the natural person', async () => {
    const transferId = await processed({ requestorId: trading.representative });
    expect(trading.sentOf(transferId)).toMatchObject([
      { status: 'INVALID', validationError: { description: 'Requestor-ID invalid' } },
    ]);
    trading.proxies.create(trading.representative, trading.person);
    expect(await read(await processed({ requestorId: trading.representative }))).toMatchObject({ status: 'PENDING' });
  });
});

describe('sandbox platform: creating a transfer', () => {
  it.each<readonly [string, Fields]>([
    ['amount', { amount: 0 }],
    ['amount', { amount: -5 }],
    ['amount', { amount: 1.005 }],
    ['amount', { amount: 1e10 }],
    ['direction', { direction: 'UP' }],
    ['naturalPersonId', { naturalPersonId: 'me' }],
    ['requestorId', { direction: 'IN', requestorId: unknownId }],
  ])('rejects a %s of %j', async (field, change) => {
    const transfer = { naturalPersonId: trading.person, direction: 'OUT', amount: 5, ...change };
    expect(await trading.control('POST', '/transfers', transfer)).toMatchObject({
      status: 400,
      body: { errorDetails: [expect.objectContaining({ field })] },
    });
    expect(trading.transfers.all()).toEqual([]);
  });

  it('rejects a transfer of an unknown natural person', async () => {
    const transfer = { naturalPersonId: unknownId, direction: 'IN', amount: 5 };
    expect(await trading.control('POST', '/transfers', transfer)).toMatchObject({ status: 404 });
  });
});

describe('sandbox platform: transfers in the control API', () => {
  it('returns each status with its time', async () => {
    const transferId = await processed();
    await complete(transferId);
    const told = trading.sentOf(transferId).map(({ status, modifiedOn: since }) => ({ status, since }));
    const received = { status: 'RECEIVED', since: trading.transfers.get(transferId).createdOn };
    expect(await read(transferId)).toMatchObject({ requestorId: trading.person, history: [received, ...told] });
  });

  it('lists transfers by natural person and status, page by page', async () => {
    const ids = [await processed({ amount: 1 }), await processed({ amount: 2 }), await processed({ amount: 500 })];
    await trading.createTransfer({ naturalPersonId: trading.representative, direction: 'IN' });
    const list = async (query: string) => (await trading.control('GET', `/transfers?${query}`)).body;
    expect(await list(`naturalPersonId=${trading.person}&limit=2`)).toMatchObject({
      data: [{ transferId: ids[0] }, { transferId: ids[1] }],
      pagination: { limit: 2, cursor: expect.stringMatching(/./) },
    });
    expect(await list('status=REJECTED')).toMatchObject({ data: [{ transferId: ids[2] }], pagination: { cursor: '' } });
  });
});
