import type { IncomingHttpHeaders } from 'node:http';
import { listen, readBody } from '#sandbox/net/server.ts';

/** A delivery as it came to the partner. */
export type Received = {
  readonly path: string;
  /** The last word of the path: each event type has a URL of its own. */
  readonly eventType: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** Of a body that is JSON. */
  readonly body: Readonly<Record<string, unknown>>;
};

/** The partner's side of the webhooks: a server of this machine that keeps each delivery. */
export type Partner = {
  readonly origin: string;
  readonly url: (eventType: string) => string;
  readonly received: Received[];
  /** What it answers from now on; `none` is a connection that breaks, `never` one that stays open. 200 at first. */
  answer: number | 'none' | 'never';
  /** Called when a delivery has come, before it is answered. */
  onReceived: (received: Received) => Promise<void> | void;
  readonly close: () => Promise<void>;
};

export async function startPartner(): Promise<Partner> {
  const received: Received[] = [];
  const { origin, close } = await listen(async (request, response) => {
    const { url: path = '', headers } = request;
    const bytes = await readBody(request);
    const one: Received = {
      path,
      eventType: path.split('/').at(-1) ?? '',
      headers,
      bytes,
      text: bytes.toString(),
      get body() {
        return JSON.parse(bytes.toString());
      },
    };
    received.push(one);
    await partner.onReceived(one);
    if (partner.answer === 'none') response.destroy();
    else if (partner.answer !== 'never')
      response.writeHead(partner.answer).end(partner.answer === 200 ? 'thank you' : '');
  });
  const url = (eventType: string) => `${origin}/webhooks/${eventType}`;
  const partner: Partner = { origin, url, received, answer: 200, onReceived: () => undefined, close };
  return partner;
}
