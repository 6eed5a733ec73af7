import * as z from 'zod/mini';
import { parseExactJson, parseUntrusted } from '#shared/platform/fields/parse-untrusted.ts';
import { fieldsOf, PlatformSchemaError } from './errors.ts';
import { AnswerTooLargeError, type FetchedAnswer } from './fetch.ts';

/** An answer, read whole. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: FetchedAnswer['headers'];
  /** Byte for byte: a document is not a text. */
  readonly body: Uint8Array;
};

/**
 * Of an error answer, the status is enough: a body that is too large counts as missing.
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

/** The value of a JSON body, with all digits of its numbers; undefined if it is not JSON. */
export function parseBody(answer: Pick<HttpAnswer, 'body'>): unknown {
  return tryParse(() => parseExactJson(textOf(answer)));
}

function tryParse(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    // Nothing of it is kept: a SyntaxError would quote the body.
    return undefined;
  }
}

/**
 * What a body says, as the schema reads it.
 *
 * @throws {PlatformSchemaError} when it is not JSON, or not what the schema expects
 */
export function readBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  operation: string,
  answer: Pick<HttpAnswer, 'body'>,
): z.output<Schema> {
  const exact = parseUntrusted(schema, parseBody(answer));
  if (exact.success) return exact.data;
  // A schema of a caller may expect a number where its digits are kept as a text.
  const rounded = parseUntrusted(
    schema,
    tryParse(() => JSON.parse(textOf(answer))),
  );
  if (!rounded.success) throw new PlatformSchemaError(operation, fieldsOf(exact.error));
  return rounded.data;
}

/**
 * Checks the answer to a call that the specification answers without content. The answer may nevertheless have JSON, or a text with the
 * status that says that the call was taken. Anything else is not the platform's, as the page of a proxy that answers 200 to
 * everything: the platform may not have taken the call.
 *
 * @throws {PlatformSchemaError} when the body is anything else
 */
export function checkNoContent(operation: string, answer: Pick<HttpAnswer, 'status' | 'body'>): void {
  if (answer.status === accepted && !textOf(answer).trimStart().startsWith('<')) return;
  if (parseBody(answer) === undefined && textOf(answer).trim() !== '')
    throw new PlatformSchemaError(operation, ['the body']);
}

const accepted = 202;

export function textOf({ body }: Pick<HttpAnswer, 'body'>): string {
  return new TextDecoder().decode(body);
}

export const text = z.optional(z.nullable(z.string()));
