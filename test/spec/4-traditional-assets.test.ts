import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { getTradeInvoice, listAssets } from '#shared/platform/resources/traditional-assets.ts';
import { unknownId, useContract } from './contract.ts';
import { makePerson, makeProxy } from './persons.ts';
import { httpError } from './refused.ts';
import { type Account, openAccount } from './trading.ts';

const contract = useContract();

const page = z.looseObject({ data: z.array(z.looseObject({ isin: z.string() })) });

async function executionOf(trader: Account, order: object = {}): Promise<string> {
  return (await trader.read(await trader.filled(order))).executions?.[0]?.executionId ?? '';
}

const invoice = (trader: Account, executionId: string) =>
  getTradeInvoice(contract().client, trader.naturalPersonId, executionId);

describe('4 List assets: up to the limit', () => {
  it.each([1, 5])('lists at most %i assets', async (limit) => {
    const { data } = await listAssets(contract().client, await makePerson(contract()), page, { limit });
    expect(data).toHaveLength(limit);
  });
});

describe('4 Get trade invoice: the TRADE_INVOICE document of a filled order', () => {
  it('returns a PDF that names the execution', async () => {
    const trader = await openAccount(contract());
    const executionId = await executionOf(trader);
    await contract().advance(10);
    const { contentType, content } = await invoice(trader, executionId);
    expect(contentType).toContain('application/pdf');
    const text = Buffer.from(content).toString('latin1');
    expect(text).toMatch(/^%PDF-/);
    expect(text).toContain('TRADE_INVOICE');
    expect(text).toContain(executionId);
  });

  it('answers Not Found to an unknown execution and to the id of an order', async () => {
    const trader = await openAccount(contract());
    const orderId = await trader.filled();
    await contract().advance(10);
    for (const id of [unknownId, orderId]) await expect(invoice(trader, id)).rejects.toEqual(httpError(404));
  });

  it('returns the invoice of another person to its representative only', async () => {
    const trader = await openAccount(contract());
    const executionId = await executionOf(trader);
    await contract().advance(10);
    const requestor = await makePerson(contract());
    const read = () => getTradeInvoice(contract().client, requestor, executionId);
    await expect(read()).rejects.toEqual(httpError(400, { condition: 'REQUESTOR_ID_INVALID' }));
    await makeProxy(contract(), requestor, trader.naturalPersonId);
    expect((await read()).content.length).toBeGreaterThan(0);
  });
});

describe('8 Trade document generation: some seconds after FILLED', () => {
  it('answers Not Found until the document is generated', async () => {
    const trader = await openAccount(contract());
    const executionId = await executionOf(trader);
    await expect(invoice(trader, executionId)).rejects.toEqual(httpError(404));
    await contract().advance(10);
    expect((await invoice(trader, executionId)).content.length).toBeGreaterThan(0);
  });
});

describe('8 asset universe: other ISINs yield no trade document, even when the order executed', () => {
  it('never generates a document for another ISIN', async () => {
    const trader = await openAccount(contract());
    const listed = z
      .array(z.object({ isin: z.string(), hasTradeDocuments: z.boolean() }))
      .parse(await contract().control('GET', '/assets'));
    const outside = listed.find(({ hasTradeDocuments }) => !hasTradeDocuments);
    const executionId = await executionOf(trader, { isin: outside?.isin, quantity: 1 });
    expect(executionId).not.toBe('');
    await contract().advance(3_000);
    await expect(invoice(trader, executionId)).rejects.toEqual(httpError(404));
  });
});
