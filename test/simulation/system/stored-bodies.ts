import { createRequire, syncBuiltinESMExports } from 'node:module';
import { deflateRawSync as deflate, type InputType, inflateRawSync as inflate, type ZlibOptions } from 'node:zlib';

/** The real functions, read before they are replaced. */
const [deflateRawSync, inflateRawSync] = [deflate, inflate];

/** In bytes: the header of a stored block (RFC 1951 section 3.2.4). */
const head = 5;

/** In bytes: the maximum content of a stored block. */
const maxContentBytes = 0xffff;

/** Encodes content as an uncompressed RFC 1951 block. */
function storeBody(content: InputType, options?: ZlibOptions): Buffer {
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) return deflateRawSync(content, options);
  const bytes = Buffer.from(content);
  if (bytes.length > maxContentBytes) return deflateRawSync(bytes, options);
  const stored = Buffer.allocUnsafe(head + bytes.length);
  // The flags of a block that is the last one and stored.
  stored.writeUInt8(1);
  stored.writeUInt16LE(bytes.length, 1);
  stored.writeUInt16LE(bytes.length ^ maxContentBytes, 3);
  stored.set(bytes, head);
  return stored;
}

/** Inflates the result of {@link storeBody}, and any other input like the real function. */
function readStoredBody(deflated: InputType, options: ZlibOptions = {}): Buffer {
  const content = deflated instanceof Uint8Array ? contentOf(deflated) : undefined;
  const isTooLong = content !== undefined && content.length > (options.maxOutputLength ?? maxContentBytes);
  return content === undefined || isTooLong ? inflateRawSync(deflated, options) : content;
}

function contentOf(deflated: Uint8Array): Buffer | undefined {
  const [first, low = 0, high = 0, invertedLow = 0, invertedHigh = 0] = deflated;
  const length = low + high * 0x100;
  const isStored = first === 1 && (length ^ maxContentBytes) === invertedLow + invertedHigh * 0x100;
  return isStored && deflated.length === head + length ? Buffer.from(deflated.subarray(head)) : undefined;
}

/**
 * Turns off compression in this thread. Compression took a third of the time of a history and has no effect on it.
 *
 * @returns restores the real functions
 */
export function installStoredBodies(): () => void {
  return install({ deflateRawSync: storeBody, inflateRawSync: readStoredBody }, { deflateRawSync, inflateRawSync });
}

function install(functions: object, real: object): () => void {
  Object.assign(createRequire(import.meta.url)('node:zlib'), functions);
  syncBuiltinESMExports();
  return () => void install(real, functions);
}
