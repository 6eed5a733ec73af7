import { beforeEach, describe, expect, it } from 'vitest';
import { transferTransitions } from '#sandbox/platform/trading/transfer-states.ts';
import { type Fields, startTrading, type TestTrading, unknownId } from './trading-fixture.ts';

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

describe('3.4: the table of transfer statuses', () => {
  it('is what this platform keeps to: what leads to INVALID is not shown, but nothing else is added', () => {
    const final = { INVALID: [], REJECTED: [], PROCESSED: [] };
    const table = { RECEIVED: ['INVALID', 'PENDING', 'REJECTED'], PENDING: ['PROCESSED'], ...final };
    expect(transferTransitions).toEqual(table);
  });

  it('an outgoing transfer that is accepted is RECEIVED, and its id is returned', async () => {
    const transfer = { naturalPersonId: trading.person, direction: 'OUT', amount: 60.5, externalId: 'rent' };
    const created = await trading.control('POST', '/transfers', transfer);
    expect(created).toMatchObject({ status: 200, body: { transferId: expect.any(String), status: 'RECEIVED' } });
    expect(trading.transfers.all()).toMatchObject([
      { ...created.body, requestorId: trading.person, externalId: 'rent' },
    ]);
    expect(await trading.account()).toMatchObject({ cash: 100 });
    expect(trading.sent).toEqual([]);
  });

  it('RECEIVED with a sufficient balance becomes PENDING: the balance is updated, and it is notified', async () => {
    const transferId = await processed({ amount: 60.5 });
    expect(await read(transferId)).toMatchObject({ status: 'PENDING' });
    expect(await trading.account()).toMatchObject({ cash: 39.5 });
    expect(trading.sent).toEqual([
      { eventType: 'TRANSFER_NOTIFICATION', body: expect.objectContaining({ transferId, status: 'PENDING' }) },
    ]);
  });

  it('takes the whole balance, to the cent', async () => {
    expect(await read(await processed({ amount: 100 }))).toMatchObject({ status: 'PENDING' });
    expect(await trading.account()).toMatchObject({ cash: 0 });
  });

  it('PENDING becomes PROCESSED when the payment network says that it is completed, and it is notified', async () => {
    const transferId = await processed();
    expect(await complete(transferId)).toMatchObject({ status: 200, body: { status: 'PROCESSED' } });
    expect(statusesSentOf(transferId)).toEqual(['PENDING', 'PROCESSED']);
    expect(await trading.account()).toMatchObject({ cash: 0 });
  });

  it('PENDING becomes PROCESSED of itself when the settings say', async () => {
    trading.settings.change({ transfersProcessedAfter: 86_400 });
    const transferId = await processed();
    await trading.clock.advance(86_399);
    expect(await read(transferId)).toMatchObject({ status: 'PENDING' });
    await trading.clock.advance(1);
    expect(await read(transferId)).toMatchObject({ status: 'PROCESSED' });
  });

  it('RECEIVED with an insufficient balance becomes REJECTED: nothing is taken, and it is notified', async () => {
    const transferId = await processed({ amount: 100.01 });
    expect(await trading.account()).toMatchObject({ cash: 100 });
    expect(trading.sentOf(transferId)).toEqual([
      expect.objectContaining({ status: 'REJECTED', rejectReason: 'INSUFFICIENT_BALANCE' }),
    ]);
  });

  it('an incoming payment is PROCESSED: the balance is updated, and it is notified', async () => {
    const transferId = await trading.createTransfer({ direction: 'IN', amount: 0.1 });
    await trading.createTransfer({ direction: 'IN', amount: 0.2 });
    expect(await trading.account()).toMatchObject({ cash: 100.3, settledCash: 100.3 });
    expect(trading.sentOf(transferId)).toEqual([
      expect.objectContaining({ status: 'PROCESSED', notificationType: 'CREATED', amount: 0.1, direction: 'IN' }),
    ]);
  });

  it('is all there is: no other status can be completed', async () => {
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

describe('3.4: INVALID', () => {
  it('is a transfer whose requestor is not ACTIVE when it is processed', async () => {
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

  it('is a transfer whose requestor may not act for the natural person', async () => {
    const transferId = await processed({ requestorId: trading.representative });
    expect(trading.sentOf(transferId)).toMatchObject([
      { status: 'INVALID', validationError: { description: 'Requestor-ID invalid' } },
    ]);
    trading.proxies.create(trading.representative, trading.person);
    expect(await read(await processed({ requestorId: trading.representative }))).toMatchObject({ status: 'PENDING' });
  });
});

describe('what makes a transfer', () => {
  it.each<readonly [string, Fields]>([
    ['amount', { amount: 0 }],
    ['amount', { amount: -5 }],
    ['amount', { amount: 1.005 }],
    ['amount', { amount: 1e10 }],
    ['direction', { direction: 'UP' }],
    ['naturalPersonId', { naturalPersonId: 'me' }],
    ['requestorId', { direction: 'IN', requestorId: unknownId }],
  ])('has a %s, which is not that of %j', async (field, change) => {
    const transfer = { naturalPersonId: trading.person, direction: 'OUT', amount: 5, ...change };
    expect(await trading.control('POST', '/transfers', transfer)).toMatchObject({
      status: 400,
      body: { errorDetails: [expect.objectContaining({ field })] },
    });
    expect(trading.transfers.all()).toEqual([]);
  });

  it('names a natural person that there is', async () => {
    const transfer = { naturalPersonId: unknownId, direction: 'IN', amount: 5 };
    expect(await trading.control('POST', '/transfers', transfer)).toMatchObject({ status: 404 });
  });
});

describe('the control view of transfers', () => {
  it('has each status with the time of it', async () => {
    const transferId = await processed();
    await complete(transferId);
    const told = trading.sentOf(transferId).map(({ status, modifiedOn: since }) => ({ status, since }));
    const received = { status: 'RECEIVED', since: trading.transfers.get(transferId).createdOn };
    expect(await read(transferId)).toMatchObject({ requestorId: trading.person, history: [received, ...told] });
  });

  it('lists them by natural person and status, page by page', async () => {
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
