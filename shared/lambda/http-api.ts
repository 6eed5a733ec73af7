import middy from '@middy/core';
import * as z from 'zod/mini';
import type { HandlerDeps } from './handler.ts';
import type * as problemTypes from './problem-types.ts';
import { unavailable } from './problem-types.ts';

/** The problem types that the reference lists: a type that is missing there does not compile. */
export type ListedProblemType = (typeof problemTypes)[keyof typeof problemTypes];

/** A part of the request, and what is wrong with it; never its value. */
export type RequestError = { readonly detail: string } & (
  | {
      /** Of the body: a JSON Pointer as a URI fragment. */
      readonly pointer: string;
    }
  | {
      /** The name of a query parameter. */
      readonly parameter: string;
    }
);

export type ProblemOptions = {
  readonly errors?: readonly RequestError[];
  /** What the caller can do next, if that is more than the remedy of the type. */
  readonly remedy?: string | undefined;
  /** Further members, which depend on the type. None may replace a member that every problem has. */
  readonly extensions?: Readonly<Record<string, unknown>> & {
    readonly [Name in 'type' | 'title' | 'status' | 'detail' | 'errors' | 'remedy']?: never;
  };
};

/** The URI of a problem type: docs/decisions/api.md, "Errors are problems of RFC 9457". */
export function problemUri(slug: ListedProblemType['slug']): string {
  return `urn:drawbridge:problem:${slug}`;
}

/**
 * An error answer: problem details of RFC 9457.
 *
 * @param detail what is wrong this time, without personal data
 */
export function problem(
  { slug, status, title, remedy, ...type }: ListedProblemType,
  detail: string,
  { errors = [], remedy: ownRemedy = remedy, extensions }: ProblemOptions = {},
): ApiAnswer {
  const named = errors.length > 0 ? { errors } : {};
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...('retryAfter' in type && { 'retry-after': String(type.retryAfter) }),
    },
    body: JSON.stringify({ type: problemUri(slug), title, status, detail, ...named, remedy: ownRemedy, ...extensions }),
  };
}

/**
 * The part of a body that a path names, as a JSON Pointer in a URI fragment (RFC 6901, section 6).
 *
 * @param path the names and indexes from the body down; empty for the body itself
 */
export function pointerTo(path: readonly string[]): string {
  const escaped = path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return `#${encodeURI(escaped.toWellFormed()).replaceAll('#', '%23')}`;
}

/**
 * A field of an HTTP API event. Some gateways send null where API Gateway leaves a field out: both mean that the field is
 * absent.
 */
export function optionalField<Schema extends z.ZodMiniType>(schema: Schema) {
  const present = z.transform((value: z.output<Schema> | null | undefined) => value ?? undefined);
  return z.optional(z.pipe(z.nullish(schema), present));
}

const text = optionalField(z.string());
const texts = optionalField(z.record(z.string(), text));

/**
 * The fields of an HTTP API event (payload format 2.0) that functions use, each of which may be absent:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const httpEventFields = {
  /** Names are in lower case. */
  headers: texts,
  pathParameters: texts,
  /** API Gateway joins the values of a repeated parameter with commas. */
  queryStringParameters: texts,
  body: text,
  isBase64Encoded: optionalField(z.boolean()),
  /** Who signed the request, on a route that IAM authorizes. */
  requestContext: optionalField(
    z.object({
      authorizer: optionalField(z.object({ iam: optionalField(z.object({ accessKey: optionalField(z.string()) })) })),
    }),
  ),
};

const caller = z.object({ requestContext: httpEventFields.requestContext });

/** The AWS access key that signed a request: CloudTrail knows its session. */
export function accessKeyOf({ requestContext }: z.output<typeof caller>): string | undefined {
  return requestContext?.authorizer?.iam?.accessKey;
}

/** What API Gateway answers: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
export type ApiAnswer = {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** An answer in JSON. */
export function answer(statusCode: number, body: unknown): ApiAnswer {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Of the items in an answer, as {@link answerBytes} counts them: Lambda takes an answer of 6 MB, and there is more than the items. */
export const maxItemBytes = 5_000_000;

/** The bytes that an item takes of an answer: JSON within JSON. */
export function answerBytes(item: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(item)));
}

/**
 * The middy stack of a function behind API Gateway: an error is logged and answered with 503, so that the caller sends the request again.
 * `failed` is the `detail` of a 503.
 */
export function httpHandler(
  handle: (event: unknown) => Promise<ApiAnswer>,
  { log, metrics, failed = 'The request could not be processed.' }: HandlerDeps & { readonly failed?: string },
) {
  return middy<unknown, ApiAnswer>({ timeoutEarlyInMillis: 0 })
    .after(({ response }) => {
      if ((response?.statusCode ?? 0) >= 500) metrics.countOfVersion('FirstAttemptsFailed');
      metrics.flush();
    })
    .onError((request) => {
      metrics.countOfVersion('FirstAttemptsFailed');
      metrics.flush();
      log.error('request failed', { error: request.error });
      request.response = problem(unavailable, failed);
    })
    .handler(handle);
}
