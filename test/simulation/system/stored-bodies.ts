import { createRequire, syncBuiltinESMExports } from 'node:module';
import { deflateRawSync as deflate, type InputType, inflateRawSync as inflate, type ZlibOptions } from 'node:zlib';

/** As this thread has them before anything else takes their place. */
const [deflateRawSync, inflateRawSync] = [deflate, inflate];

/** In bytes: what stands before the content of a stored block (RFC 1951 section 3.2.4). */
const head = 5;

/** In bytes: the most that a stored block holds. */
const maxContentBytes = 0xffff;

/** What is deflated, by RFC 1951, but not compressed. */
export function storeBody(content: InputType, options?: ZlibOptions): Buffer {
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) return deflateRawSync(content, options);
  const bytes = Buffer.from(content);
  if (bytes.length > maxContentBytes) return deflateRawSync(bytes, options);
  const stored = Buffer.allocUnsafe(head + bytes.length);
  // The last block, and stored.
  stored.writeUInt8(1);
  stored.writeUInt16LE(bytes.length, 1);
  stored.writeUInt16LE(bytes.length ^ maxContentBytes, 3);
  stored.set(bytes, head);
  return stored;
}

/** Inflates what {@link storeBody} gave; and anything else as it would have been. */
export function readStoredBody(deflated: InputType, options: ZlibOptions = {}): Buffer {
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
 * From now on this thread does not compress what it deflates: that took a third of the time of a history, and changes
 * nothing in it.
 *
 * @returns puts the real ones back
 */
export function installStoredBodies(): () => void {
  return install({ deflateRawSync: storeBody, inflateRawSync: readStoredBody }, { deflateRawSync, inflateRawSync });
}

function install(functions: object, real: object): () => void {
  Object.assign(createRequire(import.meta.url)('node:zlib'), functions);
  syncBuiltinESMExports();
  return () => void install(real, functions);
}
