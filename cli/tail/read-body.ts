import { requestPath } from '#cli/command/request-url.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import { eventAnswer } from '#shared/api/query-answers.ts';
import type { TailLine } from './tail-line.ts';

export type ShownBody = { readonly body?: string | undefined; readonly bodyBase64?: string | undefined };

/** Reads the body of a webhook; undefined for a bus event. */
export function createReadBody(api: ApiClient) {
  return async ({ source, eventId }: TailLine): Promise<ShownBody | undefined> => {
    if (source !== 'webhook' || eventId === undefined) return undefined;
    const { body, bodyBase64 } = await api.send({ method: 'GET', path: requestPath`/events/${eventId}` }, eventAnswer);
    return { body, bodyBase64 };
  };
}
