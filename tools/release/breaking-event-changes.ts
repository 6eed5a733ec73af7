import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

const names = z.array(z.string()).default([]);

/** A JSON Schema, as far as our events use it. */
const schema = z.looseObject({
  type: z.unknown().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: names,
  items: z.unknown().optional(),
});

const contract = z.object({
  channels: z.record(z.string(), z.looseObject({ address: z.string() })),
  components: z.object({
    messages: z.record(z.string(), z.looseObject({ payload: z.unknown() })),
    schemas: z.record(z.string(), z.unknown()).default({}),
  }),
});

/** What limits a value beside its type: a consumer may count on each. */
const limits = ['pattern', 'format', 'minimum', 'exclusiveMinimum', 'maximum', 'minItems', 'maxItems'] as const;

/**
 * What would break a consumer that was written for an earlier AsyncAPI document. Further events, further fields and further descriptions
 * break none.
 *
 * @returns one sentence per change, with the event and the field
 */
export function breakingEventChanges(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [contract.parse(before), contract.parse(after)];
  const addresses = Object.entries(old.channels).flatMap(([name, { address }]) => {
    const current = now.channels[name]?.address;
    return current === address ? [] : [`channel ${name}: the address was ${address}, and is ${current ?? 'gone'}.`];
  });
  const events = Object.entries(old.components.messages).flatMap(([name, message]) => {
    const current = now.components.messages[name];
    if (current === undefined) return [`${name}: the event is gone.`];
    return compare(name, message.payload, current.payload, {
      before: old.components.schemas,
      after: now.components.schemas,
    });
  });
  return [...addresses, ...events];
}

type Schemas = Readonly<Record<'before' | 'after', Readonly<Record<string, unknown>>>>;

function compare(path: string, before: unknown, after: unknown, schemas: Schemas): readonly string[] {
  const [old, now] = [resolve(before, schemas.before), resolve(after, schemas.after)];
  const changed = (['type', 'const', ...limits] as const)
    .filter((key) => old[key] !== undefined && !isDeepStrictEqual(old[key], now[key]))
    .map((key) => `${path}: ${key} was ${JSON.stringify(old[key])}, and is ${JSON.stringify(now[key]) ?? 'gone'}.`);
  const oldWords = old.enum;
  const words = oldWords === undefined ? [] : (now.enum ?? [undefined]).filter((word) => !oldWords.includes(word));
  const newWords = words.map(
    (word) => `${path}: ${word === undefined ? 'any word' : JSON.stringify(word)} is a new word.`,
  );
  const optional = old.required
    .filter((name) => !now.required.includes(name))
    .map((name) => `${path}.${name}: the field is no longer always there.`);
  const fields = Object.entries(old.properties).flatMap(([name, field]) => {
    const current = now.properties[name];
    if (current === undefined) return [`${path}.${name}: the field is gone.`];
    return compare(`${path}.${name}`, field, current, schemas);
  });
  const items = old.items === undefined ? [] : compare(`${path}[]`, old.items, now.items ?? {}, schemas);
  return [...changed, ...newWords, ...optional, ...fields, ...items];
}

const reference = z.object({ $ref: z.string() });

/** The schema, or that which it refers to. */
function resolve(value: unknown, schemas: Readonly<Record<string, unknown>>): z.infer<typeof schema> {
  const { data } = reference.safeParse(value);
  return schema.parse(data === undefined ? value : schemas[data.$ref.slice('#/components/schemas/'.length)]);
}
