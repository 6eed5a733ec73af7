import type { IncomingHttpHeaders } from 'node:http';
import { listen, readBody } from '#sandbox/net/server.ts';

/** What a webhook of the partner received. */
export type Received = {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** A partner whose webhooks are on this machine. */
export type Partner = {
  readonly origin: string;
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
    const one = { path: request.url, headers: request.headers, body: await readBody(request) };
    received.push(one);
    await partner.onReceived(one);
    if (partner.answer === 'none') response.destroy();
    else if (partner.answer !== 'never')
      response.writeHead(partner.answer).end(partner.answer === 200 ? 'thank you' : '');
  });
  const partner: Partner = { origin, received, answer: 200, onReceived: () => undefined, close };
  return partner;
}
