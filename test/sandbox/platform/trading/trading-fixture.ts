import * as z from 'zod';
import type { SettingsChange } from '#sandbox/platform/core/settings-store.ts';
import type { NaturalPersonStatus } from '#sandbox/platform/persons/natural-person-status.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { account as accountView } from '#sandbox/platform/trading/accounts/account-schema.ts';
import { startPlatform } from '#test/sandbox/platform/platform-fixture.ts';

export const unknownId = '99999999-9999-4999-8999-999999999999';

export type Fields = Readonly<Record<string, unknown>>;
type Sent = { readonly eventType: string; readonly body: Fields };

const fields = z.record(z.string(), z.unknown());
const eventTypes = ['TRADITIONAL_ASSET_ORDER_NOTIFICATION', 'TRANSFER_NOTIFICATION'];

/** A platform with two natural persons that are ACTIVE, whose partner has registered for all that trading notifies of: each status. */
export function startTrading(settings: SettingsChange = {}) {
  const sent: Sent[] = [];
  const platform = startPlatform({
    settings: { unlistedNotifications: true, ...settings },
    fetch: async (url, init) => {
      const body = fields.parse(JSON.parse(String(init?.body)));
      sent.push({ eventType: new URL(String(url)).pathname.slice(1), body });
      return new Response(null, { status: 200 });
    },
  });
  for (const eventType of eventTypes)
    platform.registrations.register({ eventType, url: `https://partner.example/${eventType}` });
  const makePerson = (status: NaturalPersonStatus) => makeReadyPerson(platform, {}, status).naturalPersonId;
  const [person, representative] = [makePerson('ACTIVE'), makePerson('ACTIVE')];
  const [asset] = platform.assets.universe();
  if (asset === undefined) throw new Error('The asset universe is empty.');

  async function call(method: string, path: string, body: unknown, headers: Record<string, string>) {
    const hasBody = body !== undefined;
    const answer = await platform.app.request(path, {
      method,
      headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? undefined;
    await platform.expectDescribed({ method, path, status: answer.status, contentType: type, text });
    const json = type === 'application/json' ? fields.or(z.array(z.unknown())).parse(JSON.parse(text)) : undefined;
    return { status: answer.status, type, text, body: json };
  }

  const control = (method: string, path: string, body?: unknown) => call(method, `/control${path}`, body, {});

  async function placeOrder(order: Fields = {}): Promise<string> {
    const defaults = { naturalPersonId: person, isin: asset?.isin, side: 'BUY', quantity: 1 };
    const { body } = await control('POST', '/orders', { ...defaults, ...order });
    return z.object({ orderId: z.string() }).parse(body).orderId;
  }

  async function createTransfer(transfer: Fields = {}): Promise<string> {
    const defaults = { naturalPersonId: person, direction: 'OUT', amount: 100 };
    const { body } = await control('POST', '/transfers', { ...defaults, ...transfer });
    return z.object({ transferId: z.string() }).parse(body).transferId;
  }

  return {
    ...platform,
    sent,
    person,
    representative,
    makePerson,
    /** An asset of the asset universe. */
    asset,
    control,
    /** A call of the API with a token, as a requestor; without Requestor-ID where it is null. */
    api(method: string, path: string, requestorId: string | null = person) {
      // A new one, since the clock moves by days.
      const authorization = `Bearer ${platform.tokens.issue().accessToken}`;
      return call(method, path, undefined, {
        authorization,
        ...(requestorId !== null && { 'requestor-id': requestorId }),
      });
    },
    changeStatus(naturalPersonId: string, status: NaturalPersonStatus) {
      if (platform.statusOf(naturalPersonId) !== status) platform.persons.changeStatus(naturalPersonId, status);
    },
    placeOrder,
    /** An order that is PENDING, or INVALID. */
    async pendingOrder(order: Fields = {}): Promise<string> {
      const orderId = await placeOrder(order);
      await platform.clock.advance(1);
      return orderId;
    },
    createTransfer,
    /** What was sent of an order or a transfer, in the order in which it was. */
    sentOf: (id: string) =>
      sent.map(({ body }) => body).filter((body) => [body['orderId'], body['transferId']].includes(id)),
    /** Cash, the settled part of it, and positions by ISIN. */
    account: async (naturalPersonId = person) =>
      accountView.parse((await control('GET', `/natural-persons/${naturalPersonId}/account`)).body),
    fund: (cash: number, positions: readonly Fields[] = []) =>
      control('POST', `/natural-persons/${person}/account`, { cash, positions }),
  };
}

export type TestTrading = ReturnType<typeof startTrading>;
