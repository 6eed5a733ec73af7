import * as z from 'zod/mini';
import * as problemTypes from '#shared/lambda/problem-types.ts';
import { type OnboardingStep, onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';
import { failureIn } from '#shared/platform/client/errors.ts';
import { lenient, openEnum, receivedList, tolerantObject, type UnknownWord } from '#shared/platform/fields/received.ts';

/** The kinds of problems that the API answers, by which `problem` of an error says what is wrong: docs/reference/problems.md. */
export const problemWords = Object.values(problemTypes).map(({ slug }) => slug);

const text = lenient(z.string());

const answer = z.catch(
  tolerantObject({
    type: text,
    detail: text,
    /** What API Gateway itself answers. */
    message: text,
    remedy: text,
    reason: text,
    step: lenient(openEnum(onboardingStepWords)),
    errors: lenient(receivedList(tolerantObject({ pointer: text, parameter: text, detail: text }))),
  }),
  {},
);

const problem = z.pipe(
  z.transform((type: unknown) => (typeof type === 'string' ? type.split(':').at(-1) : undefined)),
  z.optional(openEnum(problemWords)),
);

export type DrawbridgeProblem = z.output<typeof problem>;

/** Answers after which the same request has another chance. */
const retryable: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** The API of Drawbridge refused a request, or did not answer it. The message names fields, never a value. */
export class DrawbridgeApiError extends Error {
  override readonly name = 'DrawbridgeApiError';
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** What is wrong: decide by it. Undefined if API Gateway answered, or nothing did. */
  readonly problem: DrawbridgeProblem;
  /** What the caller can do next. */
  readonly remedy: string | undefined;
  /** Each invalid part of the request: a JSON Pointer into the body, or a query parameter. */
  readonly errors: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail?: string }[];
  /** The step of the onboarding that is in the way. */
  readonly step: OnboardingStep | UnknownWord | undefined;
  /** Why the platform refused, of the problems `platform-refused` and `requestor-refused`. */
  readonly reason: string | undefined;
  /** In milliseconds: how long to wait before the same request (Retry-After). */
  readonly retryAfter: number | undefined;
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean;

  constructor(
    operation: string,
    status?: number,
    body?: unknown,
    { retryAfter, ...options }: ErrorOptions & { readonly retryAfter?: number | undefined } = {},
  ) {
    const { type, detail, message, remedy, reason, errors, step } = z.parse(answer, body);
    const code = failureIn(options.cause)?.code;
    const parts = (errors ?? []).map((one) => ` ${one.pointer ?? one.parameter}: ${one.detail}.`).join('');
    super(
      status === undefined
        ? `${operation}: the API did not answer${code === undefined ? '' : ` (${code})`}. Check apiUrl and the network, and send the request again.`
        : `${operation}: the API answered ${status}. ${detail ?? message ?? ''}${parts} ${remedy ?? ''}`.trim(),
      options,
    );
    this.status = status;
    this.problem = z.parse(problem, type);
    this.remedy = remedy ?? undefined;
    this.errors = (errors ?? []).map(({ pointer, parameter, detail }) => ({
      ...(pointer != null && { pointer }),
      ...(parameter != null && { parameter }),
      ...(detail != null && { detail }),
    }));
    this.step = step ?? undefined;
    this.reason = reason ?? undefined;
    this.retryAfter = retryAfter;
    this.isRetryable = this.problem !== 'platform-refused' && (status === undefined || retryable.has(status));
  }
}
