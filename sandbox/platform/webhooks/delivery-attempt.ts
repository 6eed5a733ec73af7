import type { Webhook } from './webhook-schema.ts';

export type AttemptDeps = {
  readonly fetch: typeof fetch;
  /** Aborts after so many milliseconds of real time. */
  readonly timeout: (milliseconds: number) => AbortSignal;
};

/** A delivery, sent once: the status of a 2xx answer, otherwise why it failed. */
export async function attemptDelivery(
  { url, headers = [] }: Webhook,
  body: Uint8Array,
  { fetch: send, timeout, seconds }: AttemptDeps & { readonly seconds: number },
): Promise<number | string> {
  try {
    const answer = await send(url, {
      method: 'POST',
      headers: headersOf(headers),
      body: Buffer.from(body),
      redirect: 'manual',
      signal: timeout(Math.ceil(seconds * 1_000)),
    });
    await answer.bytes();
    return answer.ok ? answer.status : `The webhook was answered with ${answer.status}.`;
  } catch (error) {
    return `The webhook was not answered: ${nameOf(error)}.`;
  }
}

/** The registered headers; a Content-Type among them replaces that of the platform. */
function headersOf(registered: NonNullable<Webhook['headers']>): Headers {
  const headers = new Headers();
  for (const { name, value } of registered) headers.append(name, value);
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return headers;
}

/** The word for what happened to the connection, such as ECONNREFUSED or TimeoutError. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { cause, name } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : name;
}
