import type { Webhook, WebhookData } from '#shared/platform/resources/webhooks.ts';
import {
  empty,
  json,
  type PlatformServer,
  type Received,
  startPlatformServer,
} from '#test/shared/platform/client/platform-server.ts';

/** The webhook management of a platform over a real socket, and what a test needs to disturb it. */
export type WebhookPlatform = {
  readonly baseUrl: string;
  /** By event type: what is registered. */
  readonly webhooks: Map<string, Webhook>;
  /** Operations that were carried out: `POST TRANSFER_NOTIFICATION`. */
  readonly changes: readonly string[];
  /** Event types that the platform knows. */
  readonly knownTypes: Set<string>;
  /** Is awaited before and after each call is carried out; a throw breaks the connection there. */
  onCall: (moment: { readonly when: 'before' | 'after'; readonly request: Received }) => Promise<void> | void;
  /** Whether it says which event types have no webhook. */
  saysMissing: boolean;
  readonly reset: () => void;
  readonly close: () => Promise<void>;
};

export async function startWebhookPlatform(now: () => Date): Promise<WebhookPlatform> {
  const server: PlatformServer = await startPlatformServer();
  const webhooks = new Map<string, Webhook>();
  let changes: string[] = [];
  const platform: WebhookPlatform = {
    baseUrl: server.baseUrl,
    webhooks,
    get changes() {
      return changes;
    },
    knownTypes: new Set(),
    onCall: () => undefined,
    saysMissing: true,
    reset: () => {
      webhooks.clear();
      platform.knownTypes.clear();
      platform.onCall = () => undefined;
      platform.saysMissing = true;
      changes = [];
    },
    close: server.close,
  };

  function carryOut({ method, url, body }: Received) {
    const [, collection, name = ''] = new URL(url, server.baseUrl).pathname.split('/');
    if (collection === 'webhooks-missing') {
      if (!platform.saysMissing) return empty(404);
      const missing = [...platform.knownTypes].filter((eventType) => !webhooks.has(eventType));
      return json(
        200,
        missing.map((eventType) => ({ eventType })),
      );
    }
    if (method === 'GET') return json(200, [...webhooks.values()]);
    if (method === 'DELETE') {
      webhooks.delete(name);
      changes.push(`DELETE ${name}`);
      return empty(200);
    }
    const data = JSON.parse(body) as WebhookData;
    if (!platform.knownTypes.has(data.eventType)) return json(400, { message: 'unknown event type' });
    const modifiedOn = now().toISOString();
    const createdOn = webhooks.get(data.eventType)?.createdOn ?? modifiedOn;
    webhooks.set(data.eventType, { ...data, createdOn, modifiedOn } as Webhook);
    changes.push(`POST ${data.eventType}`);
    return empty(200);
  }

  server.answerWith(async (request, response) => {
    try {
      await platform.onCall({ when: 'before', request });
      const answer = carryOut(request);
      await platform.onCall({ when: 'after', request });
      await answer(request, response);
    } catch {
      response.destroy();
    }
  });
  return platform;
}
