import { beforeEach, describe, expect, it } from 'vitest';
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

async function processed(transfer: Fields = {}): Promise<string> {
  const transferId = await trading.createTransfer(transfer);
  await trading.clock.advance(1);
  return transferId;
}

describe('sandbox platform: setting transfersProcessedAfter', () => {
  it('moves a PENDING transfer to PROCESSED after the configured time', async () => {
    trading.settings.change({ transfersProcessedAfter: 86_400 });
    const transferId = await processed();
    await trading.clock.advance(86_399);
    expect(await read(transferId)).toMatchObject({ status: 'PENDING' });
    await trading.clock.advance(1);
    expect(await read(transferId)).toMatchObject({ status: 'PROCESSED' });
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
