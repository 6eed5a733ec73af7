import { isUtf8 } from 'node:buffer';
import { type IncomingMessage, validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod';
import { sandboxAccount } from '#sandbox/aws/stacks/identity.ts';
import type { RouteMatch } from './http-route.ts';

export type HttpApiRequest = {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly match: RouteMatch;
  readonly requestId: string;
  readonly time: Date;
  readonly apiId: string;
};

/** The event that an HTTP API hands to a function: payload format 2.0. */
export function createHttpApiEvent({ request, body, match, requestId, time, apiId }: HttpApiRequest): object {
  const [path = '/', ...afterPath] = (request.url ?? '/').split('?');
  const rawQueryString = afterPath.join('?');
  const query = joinedQuery(new URLSearchParams(rawQueryString));
  const { cookie, ...headers } = joinedHeaders(request);
  const isText = isTextual(headers['content-type']) && isUtf8(body);
  return {
    version: '2.0',
    routeKey: match.route.routeKey,
    rawPath: path,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split(/[;,] */) }),
    headers,
    ...(Object.keys(query).length > 0 && { queryStringParameters: query }),
    requestContext: {
      accountId: sandboxAccount,
      apiId,
      ...authorizerOf(request),
      domainName: headers['host'],
      domainPrefix: apiId,
      http: {
        method: request.method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: request.socket.remoteAddress,
        userAgent: headers['user-agent'],
      },
      requestId,
      routeKey: match.route.routeKey,
      stage: '$default',
      time: commonLogTime(time),
      timeEpoch: time.getTime(),
    },
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: match.pathParameters }),
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** Who signed the request, as API Gateway states it. The sandbox does not check the signature. */
function authorizerOf({ headers }: IncomingMessage): object {
  const accessKey = /^AWS4-HMAC-SHA256 Credential=([\w.]+)\//.exec(headers.authorization ?? '')?.[1];
  return accessKey === undefined ? {} : { authorizer: { iam: { accessKey } } };
}

/** As API Gateway writes it: `12/Mar/2026:19:03:58 +0000`. */
export function commonLogTime(time: Date): string {
  return time.toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000');
}

/** Content types that API Gateway takes for text; it hands over anything else as base64. */
function isTextual(contentType = ''): boolean {
  return /^(text\/|application\/(json|javascript|xml))/.test(contentType);
}

function joinedHeaders(request: IncomingMessage): Record<string, string> {
  const distinct = Object.entries(request.headersDistinct);
  return Object.fromEntries(distinct.map(([name, values = []]) => [name, values.join(',')]));
}

function joinedQuery(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name).join(',')]));
}

const functionAnswer = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), z.coerce.string()).refine(areSendable).default({}),
  cookies: z.array(z.string()).default([]),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

export type LambdaAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array;
};

/** What API Gateway makes of a function's answer; undefined if the answer is none that it understands. */
export function readFunctionAnswer(payload: string): LambdaAnswer | undefined {
  const value: unknown = JSON.parse(payload);
  const withStatus = typeof value === 'object' && value !== null && 'statusCode' in value;
  if (!withStatus) return jsonAnswer(200, value);
  const answer = functionAnswer.safeParse(value);
  if (!answer.success) return undefined;
  const { statusCode, headers, cookies, body, isBase64Encoded } = answer.data;
  return {
    status: statusCode,
    headers: { ...headers, ...(cookies.length > 0 && { 'set-cookie': cookies }) },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function areSendable(headers: Readonly<Record<string, string>>): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return true;
  } catch {
    return false;
  }
}

export function jsonAnswer(status: number, value: unknown): LambdaAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) };
}
