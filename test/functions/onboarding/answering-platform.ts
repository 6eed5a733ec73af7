import type { FetchedAnswer } from '#shared/platform/client/http.ts';
import { createTestClient, type TestClientOptions } from '#test/shared/platform/client/test-client.ts';

/** What the platform answers: a body with 200, or a status with a body (JSON unless it is text) and headers; or how the call fails. */
export type Answer =
  | Readonly<Record<string, unknown>>
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | Error;

export type Sent = { readonly call: string; readonly requestor: string | undefined; readonly body: unknown };

/** A client of a platform that gives these answers in turn. `sent` is what it was asked for. */
export function createAnsweringPlatform(answers: readonly Answer[], options: TestClientOptions = {}) {
  const sent: Sent[] = [];
  const { client, clock } = createTestClient('https://platform.example', {
    ...options,
    fetch: async (url, { method, headers, body }) => {
      const { pathname, search } = new URL(url);
      const answer = answers[sent.length];
      sent.push({
        call: `${method} ${pathname}${search}`,
        requestor: new Headers(headers).get('requestor-id') ?? undefined,
        body: body === undefined ? undefined : JSON.parse(body),
      });
      if (answer === undefined) throw new Error(`No answer is left for ${method} ${pathname}.`);
      if (answer instanceof Error) throw answer;
      return toFetched(answer);
    },
  });
  return { client, clock, sent };
}

function toFetched(answer: Exclude<Answer, Error>): FetchedAnswer {
  const { status, body, headers } =
    typeof answer['status'] === 'number' ? answer : { status: 200, body: answer, headers: {} };
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  return { status: Number(status), headers: new Headers({ ...(headers as object) }), bytes: async () => bytes };
}
