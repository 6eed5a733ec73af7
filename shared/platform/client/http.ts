import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import * as z from 'zod/mini';
import { parseExactJson, parseUntrusted } from '#shared/platform/fields/parse-untrusted.ts';
import { fieldsOf, PlatformSchemaError } from './errors.ts';

/**
 * Waits for work until the signal aborts. The work is not stopped: every step of it can be repeated, or it ends by the
 * signal itself. The signal keeps nothing of work that has ended, since one signal may outlast many races.
 *
 * @throws the reason of the signal, if the signal aborts first
 */
export async function raceAbort<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  const result = work();
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** What calls use of `fetch`. Node's own is one. */
export type PlatformFetch = (
  url: string,
  request: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    /** A redirect is an answer: no other host gets the token. */
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<FetchedAnswer>;

/** What calls use of a Response. */
export type FetchedAnswer = {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  /** The body, as it was before it was compressed. @throws {AnswerTooLargeError} */
  readonly bytes: () => Promise<Uint8Array>;
};

/** In bytes, of a body that is not compressed: a page of large records, in the memory of a function. */
export const maxAnswerBytes = 32 * 1024 * 1024;

/** The body of an answer is too large: it is not read to its end. Compressed, 300 KB can hold 300 MB. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
  /** In bytes. */
  readonly limit: number;

  constructor(limit: number) {
    super(`The answer has more than ${limit} bytes.`);
    this.limit = limit;
  }
}

const decompress = promisify(gunzip);

/** Reads no further than to the limit: an answer need not have an end. Leaving the loop closes the connection. */
export async function collect(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new AnswerTooLargeError(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body as it was before it was compressed with gzip. @throws {AnswerTooLargeError} */
export async function decode(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const coding = contentEncoding?.toLowerCase() ?? '';
  // Not Modified, like every answer without a body, may name the coding that the body would have.
  if (coding === '' || coding === 'identity' || bytes.length === 0) return bytes;
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw new Error('The answer has a content coding that was not asked for.');
  try {
    return await decompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? new AnswerTooLargeError(maxBytes) : error;
  }
}

/** An answer, read whole. */
export type PlatformAnswer = {
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
export async function readPlatformAnswer(answer: FetchedAnswer): Promise<PlatformAnswer> {
  const { status, headers } = answer;
  const body = await answer.bytes().catch((error: unknown) => {
    if (error instanceof AnswerTooLargeError && !isSuccess(answer)) return new Uint8Array();
    throw error;
  });
  return { status, headers, body };
}

export function isSuccess({ status }: Pick<PlatformAnswer, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

/** The value of a JSON body, with all digits of its numbers; undefined if it is not JSON. */
export function parseBody(answer: Pick<PlatformAnswer, 'body'>): unknown {
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
  answer: Pick<PlatformAnswer, 'body'>,
): z.output<Schema> {
  const exact = parseUntrusted(schema, parseBody(answer));
  if (exact.success) return exact.data;
  // A schema of a caller may expect a number although the digits are kept as a text.
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
export function checkNoContent(operation: string, answer: Pick<PlatformAnswer, 'status' | 'body'>): void {
  if (answer.status === accepted && !textOf(answer).trimStart().startsWith('<')) return;
  if (parseBody(answer) === undefined && textOf(answer).trim() !== '')
    throw new PlatformSchemaError(operation, ['the body']);
}

const accepted = 202;

export function textOf({ body }: Pick<PlatformAnswer, 'body'>): string {
  return new TextDecoder().decode(body);
}

export const text = z.optional(z.nullable(z.string()));
