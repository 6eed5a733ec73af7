import * as z from 'zod/mini';
import { parseUntrusted } from '#shared/platform/fields/parse-untrusted.ts';
import { PlatformSchemaError } from './errors.ts';
import { AnswerTooLargeError, type FetchedAnswer } from './fetch.ts';
import { fieldsOf } from './http-error.ts';

/** An answer, read whole. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: FetchedAnswer['headers'];
  /** Byte for byte: a document is no text. */
  readonly body: Uint8Array;
};

/**
 * Of an answer that is no success, the status says enough: too large a body counts as none.
 *
 * @throws what fetch throws, or the reason of its signal
 */
export async function readHttpAnswer(answer: FetchedAnswer): Promise<HttpAnswer> {
  const { status, headers } = answer;
  const body = await answer.bytes().catch((error: unknown) => {
    if (error instanceof AnswerTooLargeError && !isSuccess(answer)) return new Uint8Array();
    throw error;
  });
  return { status, headers, body };
}

export function isSuccess({ status }: Pick<HttpAnswer, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

/** The value of a JSON body; undefined where it is none. */
export function parseBody(answer: Pick<HttpAnswer, 'body'>): unknown {
  try {
    return JSON.parse(textOf(answer));
  } catch {
    // Nothing of it is kept: a SyntaxError would quote the body.
    return undefined;
  }
}

/**
 * What a body says, as the schema reads it.
 *
 * @throws {PlatformSchemaError} when it is no JSON, or not what the schema expects
 */
export function readBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  operation: string,
  answer: Pick<HttpAnswer, 'body'>,
): z.output<Schema> {
  const result = parseUntrusted(schema, parseBody(answer));
  if (!result.success) throw new PlatformSchemaError(operation, fieldsOf(result.error));
  return result.data;
}

/**
 * Checks the answer to a call that the specification answers without content. JSON may be there all the same; anything else is not
 * the platform's, as the page of a proxy that answers 200 to everything: the platform may not have taken the call.
 *
 * @throws {PlatformSchemaError} when the body is neither empty nor JSON
 */
export function checkNoContent(operation: string, answer: Pick<HttpAnswer, 'body'>): void {
  if (parseBody(answer) === undefined && textOf(answer).trim() !== '')
    throw new PlatformSchemaError(operation, ['the body']);
}

export function textOf({ body }: Pick<HttpAnswer, 'body'>): string {
  return new TextDecoder().decode(body);
}

export const text = z.optional(z.nullable(z.string()));
