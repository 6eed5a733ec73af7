import * as z from 'zod';
import { ApiError, CommandError } from '#cli/command/command-error.ts';
import { docsPage } from '#cli/command/docs-page.ts';
import { type RequestTarget, requestUrl } from '#cli/command/request-url.ts';
import { AwsCredentialsError, createSignedFetch, type SignedFetchOptions } from '#package/client/signed-fetch.ts';
import { parseJson } from '#shared/parse-json.ts';
import { explainAwsError } from './explain-aws-error.ts';
import { nextCommand } from './next-command.ts';

export type ApiRequest = RequestTarget & {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
};

/** The query and onboarding API: each request is signed with the AWS credentials at hand. */
export type ApiClient = {
  /** @throws {ApiError} for an answer without success, {CommandError} if the API does not answer */
  readonly send: <Schema extends z.core.$ZodType>(request: ApiRequest, answer: Schema) => Promise<z.output<Schema>>;
};

const problem = z.object({
  type: z.string().optional(),
  title: z.string().optional(),
  detail: z.string().optional(),
  message: z.string().optional(),
  remedy: z.string().optional(),
  errors: z
    .array(
      z.object({ pointer: z.string().optional(), parameter: z.string().optional(), detail: z.string().optional() }),
    )
    .default([]),
});

/** The error for an answer that is a problem, or that is not even that. */
export function apiErrorOf(status: number, answer: unknown, path: string): ApiError {
  const { type, title, detail, message, remedy, errors } = problem.catch({ errors: [] }).parse(answer);
  const named = errors.map(({ pointer, parameter, detail: what }) => `\n  ${pointer ?? parameter}: ${what}`).join('');
  const reason = detail ?? message ?? title ?? 'it gave no reason.';
  const problemType = type?.split(':').at(-1);
  const next = remedy === undefined ? nextAfter(status) : nextCommand(path, problemType, remedy);
  return new ApiError(`The API answered ${status}: ${reason}${named}`, next, { status, problemType });
}

function nextAfter(status: number): string {
  return status === 403
    ? `check that your AWS credentials have not expired (aws sts get-caller-identity), or allow your role execute-api:Invoke on the route (${docsPage('docs/reference/permissions.md')}). Then run the command again.`
    : 'drawbridge doctor';
}

/** Answers after which the same request has another chance. Every route can be repeated with the same effect as once. */
const retryable: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const maxAttempts = 4;

/** In milliseconds. API Gateway ends each request after 30 seconds. */
const answerTimeout = 60_000;

/** In milliseconds: between two attempts. */
const retryInterval = 1_000;

export type ApiClientDeps = SignedFetchOptions & {
  readonly origin: string;
  readonly wait: (milliseconds: number) => Promise<void>;
};

export function createApiClient({ origin, fetch, wait, region, credentials }: ApiClientDeps): ApiClient {
  const signedFetch = createSignedFetch({ region, credentials, fetch });

  function request(method: string, url: URL, body: string | undefined): Promise<Response> {
    return signedFetch(method, url, body, AbortSignal.timeout(answerTimeout)).catch((cause: unknown) => {
      if (!(cause instanceof AwsCredentialsError))
        throw new CommandError(`The API does not answer at ${origin}.`, 'drawbridge doctor', { cause });
      throw explainAwsError(cause.cause) ?? new CommandError(cause.message, 'aws sts get-caller-identity', { cause });
    });
  }

  return {
    send: async ({ method, body: content, ...target }, schema) => {
      const url = requestUrl(origin, target);
      const body = content === undefined ? undefined : JSON.stringify(content);
      let answer = await request(method, url, body);
      for (let attempt = 1; attempt < maxAttempts && retryable.has(answer.status); attempt += 1) {
        await wait(retryInterval);
        answer = await request(method, url, body);
      }
      const read = parseJson(await answer.text());
      if (!answer.ok) throw apiErrorOf(answer.status, read, target.path);
      return z.parse(schema, read);
    },
  };
}
