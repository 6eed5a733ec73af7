import * as z from 'zod';
import { checkedProfile } from '#infra/setting-groups.ts';
import { settings } from '#infra/settings.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const schemaNode = z.looseObject({
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

/** A node of the JSON Schema of the settings. */
export type SchemaNode = z.output<typeof schemaNode>;

const toJsonSchema = (schema: z.core.$ZodType) =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // A check of the whole profile hides what the profile has.
      if (zodSchema === checkedProfile) Object.assign(jsonSchema, withoutDialect(platformProfile));
    },
  });

function withoutDialect(schema: z.core.$ZodType) {
  const { $schema: _, ...node } = toJsonSchema(schema);
  return node;
}

/** The JSON Schema of the settings: what a partner may write, with defaults. */
export const settingsJsonSchema = () => toJsonSchema(settings);

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
