import * as z from 'zod';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { account as accountView } from '#sandbox/platform/trading/accounts/account-schema.ts';
import { keepSent, registerWebhooks, startPlatform } from '#test/sandbox/platform/platform-fixture.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A platform with two natural persons that are ACTIVE, whose partner has registered for all that trading notifies of: each status. */
export function startTrading() {
  const { sent, fetch } = keepSent();
  const platform = startPlatform({ settings: { unlistedNotifications: true }, fetch });
  registerWebhooks(platform, ['TRADITIONAL_ASSET_ORDER_NOTIFICATION', 'TRANSFER_NOTIFICATION']);
  const { naturalPersonId: person } = makeReadyPerson(platform, {}, 'ACTIVE');
  const { naturalPersonId: representative } = makeReadyPerson(platform, {}, 'ACTIVE');
  const [asset] = platform.assets.universe();
  if (asset === undefined) throw new Error('The asset universe is empty.');
  const { isin } = asset;

  const control = (method: string, path: string, body?: unknown) =>
    platform.request(method, `/control${path}`, { body });

  return {
    ...platform,
    sent,
    person,
    representative,
    /** An asset of the asset universe. */
    asset,
    control,
    /** A call of the API with a token, as a requestor. */
    api: (method: string, path: string, requestorId = person) =>
      platform.send(method, path, undefined, { 'requestor-id': requestorId }),
    /** An order that is PENDING, or INVALID. */
    async pendingOrder(order: Fields = {}): Promise<string> {
      const { body } = await control('POST', '/orders', {
        ...{ naturalPersonId: person, isin, side: 'BUY', quantity: 1 },
        ...order,
      });
      await platform.clock.advance(1);
      return z.object({ orderId: z.string() }).parse(body).orderId;
    },
    async createTransfer(transfer: Fields = {}): Promise<string> {
      const defaults = { naturalPersonId: person, direction: 'OUT', amount: 100 };
      const { body } = await control('POST', '/transfers', { ...defaults, ...transfer });
      return z.object({ transferId: z.string() }).parse(body).transferId;
    },
    /** What was sent of an order or a transfer, in the order in which it was. */
    sentOf: (id: string) =>
      sent.map(({ body }) => body).filter((body) => [body['orderId'], body['transferId']].includes(id)),
    /** Cash, the settled part of it, and positions by ISIN. */
    account: async () => accountView.parse((await control('GET', `/natural-persons/${person}/account`)).body),
    fund: (cash: number, positions: readonly Fields[] = []) =>
      control('POST', `/natural-persons/${person}/account`, { cash, positions }),
  };
}

export type TestTrading = ReturnType<typeof startTrading>;
