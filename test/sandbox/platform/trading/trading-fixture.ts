import * as z from 'zod';
import { createRequestors } from '#sandbox/platform/access/requestors.ts';
import type { SettingsChange } from '#sandbox/platform/core/settings.ts';
import { createTimestamps } from '#sandbox/platform/core/timestamps.ts';
import { createPlatformApp } from '#sandbox/platform/http/app.ts';
import { createPlatform, type Platform } from '#sandbox/platform/platform.ts';
import { account as accountView } from '#sandbox/platform/trading/account-schema.ts';
import { createTrading } from '#sandbox/platform/trading/trading.ts';
import { startTime } from '#test/sandbox/platform/platform-fixture.ts';

export const person = '11111111-1111-4111-8111-111111111111';
export const representative = '22222222-2222-4222-8222-222222222222';
export const unknownId = '99999999-9999-4999-8999-999999999999';

export type Fields = Readonly<Record<string, unknown>>;
export type Sent = { readonly eventType: string; readonly body: Fields };

/** Trading over HTTP, with natural persons of any status; the clock stands still until it is moved on. */
export function startTrading(settings: SettingsChange = {}) {
  const errors: unknown[] = [];
  const sent: Sent[] = [];
  const statuses = new Map<string, string>([
    [person, 'ACTIVE'],
    [representative, 'ACTIVE'],
  ]);
  const statusOf = (naturalPersonId: string) => statuses.get(naturalPersonId);
  const onError = (error: unknown) => void errors.push(error);
  const core = createPlatform({ frozenAt: startTime, fetch, now: () => new Date(), onError, settings });
  const requestors = createRequestors({ ...core, statusOf });
  const trading = createTrading({
    ...core,
    statusOf,
    requestors,
    timestamp: createTimestamps(core.clock.now),
    notify: (eventType, resource) => sent.push({ eventType, body: JSON.parse(JSON.stringify(resource)) }),
  });
  const platform = { ...core, ...trading, statusOf, requestors };
  const app = createPlatformApp(platform as Platform);
  const authorization = () => `Bearer ${platform.tokens.issue().accessToken}`;
  const [asset] = platform.assets.universe();
  if (asset === undefined) throw new Error('The asset universe is empty.');

  async function call(method: string, path: string, body: unknown, headers: Record<string, string>) {
    const hasBody = body !== undefined;
    const answer = await app.request(path, {
      method,
      headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? undefined;
    const json = z.record(z.string(), z.unknown()).or(z.array(z.unknown()));
    return {
      status: answer.status,
      type,
      text,
      body: type === 'application/json' ? json.parse(JSON.parse(text)) : undefined,
    };
  }
  const control = (method: string, path: string, body?: unknown) => call(method, `/control${path}`, body, {});
  const idIn = (body: unknown, name: string) => z.object({ [name]: z.string() }).parse(body)[name] ?? '';

  async function placeOrder(order: Fields = {}): Promise<string> {
    const defaults = { naturalPersonId: person, isin: asset?.isin, side: 'BUY', quantity: 1 };
    return idIn((await control('POST', '/orders', { ...defaults, ...order })).body, 'orderId');
  }

  async function createTransfer(transfer: Fields = {}): Promise<string> {
    const defaults = { naturalPersonId: person, direction: 'OUT', amount: 100 };
    return idIn((await control('POST', '/transfers', { ...defaults, ...transfer })).body, 'transferId');
  }

  return {
    ...platform,
    app,
    errors,
    sent,
    statuses,
    /** An asset of the asset universe. */
    asset,
    control,
    /** A call of the API with a token, as a requestor; without Requestor-ID where it is null. */
    api: (method: string, path: string, requestorId: string | null = person) =>
      call(method, path, undefined, {
        authorization: authorization(),
        ...(requestorId !== null && { 'requestor-id': requestorId }),
      }),
    placeOrder,
    /** An order that is PENDING. */
    async pendingOrder(order: Fields = {}): Promise<string> {
      const orderId = await placeOrder(order);
      await platform.clock.advance(1);
      return orderId;
    },
    createTransfer,
    /** What was sent of a record, in the order in which it was. */
    sentOf: (id: string) =>
      sent.map(({ body }) => body).filter((body) => [body['orderId'], body['transferId']].includes(id)),
    /** Cash, the settled part of it, and positions by ISIN. */
    async account(naturalPersonId = person) {
      const { body } = await control('GET', `/natural-persons/${naturalPersonId}/account`);
      return accountView.parse(body);
    },
    fund: (cash: number, positions: readonly Fields[] = []) =>
      control('POST', `/natural-persons/${person}/account`, { cash, positions }),
  };
}

export type TestTrading = ReturnType<typeof startTrading>;
