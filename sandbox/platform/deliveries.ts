import type { UndeliveredWebhook, Webhook, WebhookData } from './webhook.ts';

/** What became of one notification: answered with a status, kept as undelivered, or of a type that nobody registered. */
export type Delivery =
  | { readonly outcome: 'delivered'; readonly status: number }
  | { readonly outcome: 'undelivered'; readonly errorMessage: string }
  | { readonly outcome: 'unregistered' };

export type DeliveriesDeps = {
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  readonly newId: () => string;
  /** The event types that this platform knows, in the order in which it lists them. */
  readonly eventTypes: readonly string[];
};

export type Deliveries = ReturnType<typeof createDeliveries>;

/** In milliseconds: how long the platform waits for an answer. */
const timeout = 10_000;

/** The core of the platform's webhooks (sections 2.1, 2.2 and 6): registrations, deliveries, and those that failed. */
export function createDeliveries({ fetch: send, now, newId, eventTypes }: DeliveriesDeps) {
  const webhooks = new Map<string, Webhook>();
  let undelivered: readonly UndeliveredWebhook[] = [];

  /** Creates or replaces: there is one webhook per event type. */
  function register(data: WebhookData): void {
    const modifiedOn = now().toISOString();
    const createdOn = webhooks.get(data.eventType)?.createdOn ?? modifiedOn;
    webhooks.set(data.eventType, { ...data, createdOn, modifiedOn });
  }

  /** Sends a body, byte for byte, to the URL registered for the event type. */
  async function notify(eventType: string, body: Uint8Array): Promise<Delivery> {
    const webhook = webhooks.get(eventType);
    if (webhook === undefined) return { outcome: 'unregistered' };
    const failure = await deliver(webhook, body);
    if (typeof failure === 'number') return { outcome: 'delivered', status: failure };
    const createdOn = now().toISOString();
    const text = Buffer.from(body).toString();
    const record = { id: newId(), webhook, body: text, errorMessage: failure, createdOn, modifiedOn: createdOn };
    undelivered = [...undelivered, record];
    return { outcome: 'undelivered', errorMessage: failure };
  }

  /** The status of a 2xx answer; otherwise why the delivery failed. */
  async function deliver({ url, headers = [] }: Webhook, body: Uint8Array): Promise<number | string> {
    try {
      const answer = await send(url, {
        method: 'POST',
        headers: [
          ['content-type', 'application/json'],
          ...headers.map(({ name, value }): [string, string] => [name, value]),
        ],
        body: Buffer.from(body),
        signal: AbortSignal.timeout(timeout),
      });
      await answer.arrayBuffer();
      return answer.ok ? answer.status : `The webhook was answered with ${answer.status}.`;
    } catch (error) {
      return `The webhook was not answered: ${error instanceof Error ? error.name : 'unknown error'}.`;
    }
  }

  /** Forgets this record and all older; false where there is none of this id. */
  function markDelivered(id: string): boolean {
    const index = undelivered.findIndex((record) => record.id === id);
    undelivered = undelivered.slice(index + 1);
    return index >= 0;
  }

  return {
    register,
    notify,
    markDelivered,
    get: (eventType: string) => webhooks.get(eventType),
    list: () => [...webhooks.values()],
    missing: () => eventTypes.filter((eventType) => !webhooks.has(eventType)).map((eventType) => ({ eventType })),
    unregister: (eventType: string) => webhooks.delete(eventType),
    knows: (eventType: string) => eventTypes.includes(eventType),
    undelivered: () => undelivered,
  };
}
