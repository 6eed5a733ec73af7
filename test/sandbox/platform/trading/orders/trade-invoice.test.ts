import { beforeEach, describe, expect, it } from 'vitest';
import { startTrading, type TestTrading } from '#test/sandbox/platform/trading/trading-fixture.ts';

let trading: TestTrading;
beforeEach(async () => {
  trading = startTrading();
  await trading.fund(1_000);
});

const invoice = (executionId: string) => trading.api('GET', `/traditional/orders/trade-invoice/${executionId}`);

async function filled(order = {}): Promise<{ readonly orderId: string; readonly executionId: string }> {
  const orderId = await trading.pendingOrder(order);
  await trading.control('POST', `/orders/${orderId}/execute`, { price: 12.5 });
  return { orderId, executionId: trading.orders.get(orderId).execution?.executionId ?? '' };
}

describe('sandbox platform: the trade invoice (section 4)', () => {
  it('returns a PDF with a valid structure, which names the trade', async () => {
    const { executionId } = await filled({ quantity: 2 });
    await trading.clock.advance(3);
    const { text } = await invoice(executionId);
    const startOfTable = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
    const [, , , ...entries] = text.slice(startOfTable, text.indexOf('trailer')).trimEnd().split('\n');
    expect(text).toMatch(/^%PDF-1\.4\n/);
    expect(text.slice(startOfTable)).toMatch(/^xref\n0 6\n/);
    expect(entries).toHaveLength(5);
    for (const [index, entry] of entries.entries())
      expect(text.slice(Number.parseInt(entry, 10))).toMatch(new RegExp(`^${index + 1} 0 obj\\n`));
    const [, length, content] = /Length (\d+) >>\nstream\n([\s\S]*)\nendstream/.exec(text) ?? [];
    expect(content).toHaveLength(Number(length));
    expect(content).toContain('Amount 25');
  });

  it.each(['settle', 'correct'])('returns the same invoice after the order has changed: %s', async (name) => {
    const { orderId, executionId } = await filled();
    await trading.clock.advance(3);
    const before = await invoice(executionId);
    await trading.control('POST', `/orders/${orderId}/${name}`, name === 'correct' ? { price: 5 } : undefined);
    expect(trading.orders.get(orderId).status).not.toBe('FILLED');
    expect(await invoice(executionId)).toEqual(before);
  });
});

describe('sandbox platform: setting invoicesAfter', () => {
  it('generates documents after the configured time', async () => {
    trading.settings.change({ invoicesAfter: 0 });
    expect(await invoice((await filled()).executionId)).toMatchObject({ status: 200 });
  });
});
