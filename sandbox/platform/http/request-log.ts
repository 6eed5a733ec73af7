import type { Context, MiddlewareHandler } from 'hono';
import { type BoundedLog, createBoundedLog, type LogEntry } from '#sandbox/platform/core/bounded-log.ts';

/** A call of the API, and its answer. */
export type LoggedRequest = LogEntry & {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The operationId; undefined if there is no such operation. */
  readonly operation: string | undefined;
  readonly requestorId: string | undefined;
  readonly status: number;
  /** The first characters of the body, without secrets; undefined if the call has no body, or if it is withheld. */
  readonly body: string | undefined;
  readonly answer: string | undefined;
  readonly startedOn: string;
};

export type RequestLog = BoundedLog<LoggedRequest>;

const maxEntries = 1_000;
const maxBytes = 10 * 1024 * 1024;

/** The characters that are kept of each body. */
const maxCharacters = 10_000;

/** The latest calls of the API, so that a developer sees what their client sends. */
export function createRequestLog(): RequestLog {
  return createBoundedLog<LoggedRequest>({
    list: 'requests',
    maxEntries,
    maxBytes,
    bytesOf: ({ body = '', answer = '' }) => 2 * (body.length + answer.length),
  });
}

export type RecordRequestsDeps = {
  readonly requests: Pick<RequestLog, 'add'>;
  readonly operationOf: (context: Context) => string | undefined;
  readonly now: () => Date;
  /** The path of the token service, whose bodies are secrets. */
  readonly tokenPath: string;
};

/** Records each call of the API, and none of the control API or of the documents. Keeps no token and no header value. */
export function recordRequests({ requests, operationOf, now, tokenPath }: RecordRequestsDeps): MiddlewareHandler {
  return async (context, next) => {
    const { path, method } = context.req;
    if (path.startsWith('/control/') || path === '/openapi.json') return next();
    const startedOn = now().toISOString();
    // A form of cursors or pages replaces the query while the call is answered.
    const { search: query } = new URL(context.req.url);
    await next();
    const isWithheld = path === tokenPath;
    const body = isWithheld ? undefined : await bodyOf(context);
    const answer = isWithheld ? undefined : await answerOf(context);
    requests.add((number) => ({
      number,
      method,
      path,
      query,
      operation: operationOf(context),
      requestorId: context.req.header('requestor-id'),
      status: context.res.status,
      body,
      answer,
      startedOn,
    }));
    return undefined;
  };
}

/** Only a body that the operation has read: to wait for another one could last. */
async function bodyOf({ req }: Context): Promise<string | undefined> {
  if (Object.keys(req.bodyCache).length === 0) return undefined;
  return shortened(await req.text().catch(() => ''));
}

async function answerOf({ res }: Context): Promise<string | undefined> {
  if (!/^(text\/plain|application\/(problem\+)?json)/.test(res.headers.get('content-type') ?? '')) return undefined;
  return shortened(await res.clone().text());
}

/** A copy: V8 keeps the whole text in memory as long as a slice of it. */
function shortened(text: string): string | undefined {
  return text === '' ? undefined : withoutSecrets(Buffer.from(text.slice(0, maxCharacters)).toString());
}

/** The headers of a webhook hold the secret of the partner. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/("value"\s*:\s*")(?:[^"\\]|\\.)*("?)/g, '$1***$2');
}
