import * as z from 'zod';

const bytes = z.strictObject({ base64: z.string() });

/** A value as JSON, with bytes in base64. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, function replace(this: Record<string, unknown>, key, replaced: unknown) {
    const original = this[key];
    return original instanceof Uint8Array ? { base64: Buffer.from(original).toString('base64') } : replaced;
  });
}

/** The value that {@link toJson} wrote. */
export function fromJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    const { data } = bytes.safeParse(value);
    return data === undefined ? value : Buffer.from(data.base64, 'base64');
  });
}
