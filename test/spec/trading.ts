import { expect } from 'vitest';
import * as z from 'zod';
import { listAssets } from '#shared/platform/resources/traditional-assets.ts';
import type { Received } from '#test/sandbox/platform/webhooks/partner.ts';
import type { Contract } from './contract.ts';
import { makePerson } from './persons.ts';

const assetPage = z.object({ data: z.array(z.object({ isin: z.string() })) });
const orderRecord = z.object({
  orderId: z.string(),
  status: z.string(),
  executions: z.array(z.object({ executionId: z.string(), price: z.number() })).optional(),
  history: z.array(z.object({ status: z.string() })),
});
const account = z.object({
  cash: z.number(),
  settledCash: z.number(),
  positions: z.array(z.object({ isin: z.string(), quantity: z.number() })),
});
const transaction = z.object({ status: z.string(), orderId: z.string().optional() });

/** The calls of the control API for an order, each with the status that it leads to. */
export const orderActions: Readonly<Record<string, { readonly next: string; readonly body: object }>> = {
  execute: { next: 'FILLED', body: {} },
  reject: { next: 'REJECTED', body: { reason: 'The exchange is closed.' } },
  cancel: { next: 'CANCELED', body: {} },
  settle: { next: 'SETTLED', body: {} },
  correct: { next: 'CORRECTED', body: { price: 11 } },
};

/** How a PENDING order comes to each status. */
const ways: Readonly<Record<string, readonly string[]>> = {
  PENDING: [],
  CANCELED: ['cancel'],
  REJECTED: ['reject'],
  FILLED: ['execute'],
  CORRECTED: ['execute', 'correct'],
  SETTLED: ['execute', 'settle'],
};

/** A person with money who trades: the calls of the control API for orders and transfers. */
export async function openAccount(contract: Contract, cash = 10_000) {
  const naturalPersonId = await makePerson(contract);
  const { data } = assetPage.parse(await listAssets(contract.client, naturalPersonId, z.unknown()));
  const isin = data[0]?.isin ?? '';
  const path = `/natural-persons/${naturalPersonId}`;

  async function transfer(direction: 'IN' | 'OUT', amount: number, requestorId?: string) {
    const body = { naturalPersonId, direction, amount, ...(requestorId !== undefined && { requestorId }) };
    return z
      .object({ transferId: z.string(), status: z.string() })
      .parse(await contract.control('POST', '/transfers', body));
  }

  async function place(order: object = {}) {
    const body = { naturalPersonId, isin, side: 'BUY', quantity: 10, ...order };
    return z.object({ orderId: z.string(), status: z.string() }).parse(await contract.control('POST', '/orders', body));
  }

  /** An order that is PENDING. */
  async function pending(order: object = {}): Promise<string> {
    const { orderId } = await place(order);
    await contract.advance(5);
    expect(await statusOf(orderId)).toBe('PENDING');
    return orderId;
  }

  async function act(orderId: string, action: string, body = orderActions[action]?.body ?? {}): Promise<void> {
    await contract.control('POST', `/orders/${orderId}/${action}`, body);
  }

  /** An order of one asset that has this status. */
  async function orderThatIs(status: string): Promise<string> {
    const requestorId = status === 'INVALID' ? await makePerson(contract, 'SUSPENDED') : naturalPersonId;
    const { orderId } = await place({ quantity: 1, requestorId });
    if (status !== 'RECEIVED') await contract.advance(5);
    for (const action of ways[status] ?? []) await act(orderId, action);
    expect(await statusOf(orderId)).toBe(status);
    return orderId;
  }

  /** An outgoing transfer of 40 that has this status. REJECTED is one that the account does not cover. */
  async function transferThatIs(status: string): Promise<string> {
    const requestorId = status === 'INVALID' ? await makePerson(contract, 'BLOCKED') : naturalPersonId;
    const { transferId } = await transfer('OUT', status === 'REJECTED' ? 1_000_000 : 40, requestorId);
    if (status !== 'RECEIVED') await contract.advance(5);
    if (status === 'PROCESSED') await contract.control('POST', `/transfers/${transferId}/complete`, {});
    expect(await transferStatusOf(transferId)).toBe(status);
    return transferId;
  }

  /** An order that is FILLED. */
  async function filled(order: object = {}): Promise<string> {
    const orderId = await pending(order);
    await act(orderId, 'execute');
    return orderId;
  }

  const read = async (orderId: string) => orderRecord.parse(await contract.control('GET', `/orders/${orderId}`));
  const statusOf = async (orderId: string) => (await read(orderId)).status;
  const transferStatusOf = async (transferId: string) =>
    z.object({ status: z.string() }).parse(await contract.control('GET', `/transfers/${transferId}`)).status;
  const readAccount = async () => account.parse(await contract.control('GET', `${path}/account`));
  const transactions = async () => z.array(transaction).parse(await contract.control('GET', `${path}/transactions`));

  if (cash > 0) await transfer('IN', cash);
  return {
    naturalPersonId,
    isin,
    transfer,
    place,
    pending,
    filled,
    orderThatIs,
    transferThatIs,
    act,
    read,
    statusOf,
    transferStatusOf,
    account: readAccount,
    transactions,
  };
}

export type Account = Awaited<ReturnType<typeof openAccount>>;

/** What was sent of this order or transfer: its statuses, in the order in which they came. */
export async function notified(contract: Contract, id: string): Promise<readonly unknown[]> {
  return (await received(contract))
    .filter(({ body }) => body['orderId'] === id || body['transferId'] === id)
    .map(({ body }) => body['status']);
}

/** All that the partner has received, once nothing is on its way any more. */
export async function received({ partner, advance }: Contract): Promise<readonly Received[]> {
  await advance(0);
  return partner.received;
}
