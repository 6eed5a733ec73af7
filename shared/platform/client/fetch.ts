import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/**
 * Waits for work until the signal aborts. The work is not stopped: every step of it can be repeated, or it ends by the
 * signal itself. The signal keeps nothing of work that has ended, since one signal may outlast many races.
 *
 * @throws the reason of the signal, where the signal aborts first
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
