import { pathBelowBase, requestorId as requestor } from '#shared/platform/fields/fields.ts';
import { checkInput } from './check-input.ts';
import { PlatformInputError } from './errors.ts';
import type { PlatformRequest } from './platform-request.ts';

/** The request that is sent, without its token. */
export type Message = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** @throws {PlatformInputError} where it cannot be sent */
export function toMessage(baseUrl: string, call: PlatformRequest): Message {
  const { operation, requestorId, accept = 'application/json' } = call;
  if (requestorId !== undefined) checkInput(requestor, requestorId, { operation, section: '5', field: 'Requestor-ID' });
  checkInput(pathBelowBase, call.path, { operation, section: '4', field: 'path' });
  const body = writeBody(call);
  const headers = {
    accept,
    ...(requestorId !== undefined && { 'requestor-id': requestorId }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  return { url: urlOf(baseUrl, call), headers, body };
}

function writeBody({ operation, body }: PlatformRequest): string | undefined {
  if (body === undefined) return undefined;
  try {
    return JSON.stringify(body);
  } catch {
    throw new PlatformInputError(operation, ['the body: must be what JSON can write']);
  }
}

function urlOf(baseUrl: string, { path, query = {} }: PlatformRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? `${baseUrl}${path}` : `${baseUrl}${path}?${parameters}`;
}
