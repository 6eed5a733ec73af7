import * as z from 'zod';
import { settings } from '#infra/settings.ts';

/** A node of the JSON Schema of the settings. */
export const schemaNode = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  unit: z.string().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  get anyOf() {
    return z.array(schemaNode).optional();
  },
  get items() {
    return schemaNode.optional();
  },
  get properties() {
    return z.record(z.string(), schemaNode).optional();
  },
  required: z.array(z.string()).default([]),
});

export type SchemaNode = z.output<typeof schemaNode>;

/** The JSON Schema of the settings: what a partner may write, with defaults. */
export const settingsJsonSchema = (): z.core.JSONSchema.BaseSchema =>
  z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' });

/** The same, as a tree to walk. */
export function settingsSchema(): SchemaNode {
  return schemaNode.parse(settingsJsonSchema());
}

/** The JSON Schema of the setting at a path. Undefined if the schema does not describe the setting. */
export function schemaAt(path: readonly PropertyKey[], root = settingsSchema()): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>(
    (node, key) => (typeof key === 'number' ? node?.items : node?.properties?.[String(key)]),
    root,
  );
}
