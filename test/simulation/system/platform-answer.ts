/** The part of a `fetch` response that the functions use. Faster than a Response, and read without a turn of the event loop. */
export function answerOf(status: number, body: object | Uint8Array, headers: Record<string, string> = {}): Response {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  const answer = {
    status,
    ok: status >= 200 && status <= 299,
    headers: new Headers(headers),
    bytes: async () => bytes,
  };
  return answer as unknown as Response;
}
