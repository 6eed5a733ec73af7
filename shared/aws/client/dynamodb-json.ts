/** Writes a request. Bytes are base64 in JSON. */
export function writeAttributes(input: object): string {
  return JSON.stringify(input, function (this: Readonly<Record<string, unknown>>, key: string, value: unknown) {
    // A Buffer has turned itself into an object by now: the value before that is needed.
    const original = key === 'B' ? this[key] : undefined;
    return original instanceof Uint8Array ? base64Of(original) : value;
  });
}

/**
 * Reads an answer. A text under the name `B` is always a binary attribute: an attribute or a table of that name is an object or
 * an array there. Sets of bytes are not read: no table of ours has one.
 */
export function readAttributes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(readAttributes);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'B' && typeof part === 'string' ? bytesOf(part) : readAttributes(part),
    ]),
  );
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function bytesOf(base64: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(base64, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
}
