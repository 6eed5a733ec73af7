import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AnswerTooLargeError } from './fetch.ts';

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
