import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

type Started = { readonly request: IncomingMessage; readonly response: ServerResponse };

const channel = 'http.server.request.start';

/** Counts the open connections to the live route of a console of this process, from now on. */
export function watchLiveConnections(origin: string) {
  const open = new Set<ServerResponse>();
  const onRequest = (message: unknown) => {
    const { request, response } = message as Started;
    if (request.url !== '/api/live' || `http://${request.headers.host}` !== origin) return;
    open.add(response);
    response.once('close', () => open.delete(response));
  };
  subscribe(channel, onRequest);
  return { count: () => open.size, end: () => unsubscribe(channel, onRequest) };
}
