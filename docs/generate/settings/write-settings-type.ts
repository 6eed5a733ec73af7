import * as z from 'zod';
import { pagesCommand } from '#docs/generate/generated.ts';
import { writeSettingsSchema } from './write-settings-schema.ts';

const node = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  get anyOf() {
    return z.array(node).optional();
  },
  get items() {
    return node.optional();
  },
  get properties() {
    return z.record(z.string(), node).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), node]).optional();
  },
  required: z.array(z.string()).default([]),
});

/** Editors find the schema of a settings file by it. The construct has no such setting. */
const linkOfFiles = '$schema';

type Node = z.output<typeof node>;

/** `infra/drawbridge-settings.ts`: the props of the construct, with what the reference says of each setting. */
export function writeSettingsType(): string {
  const { properties = {}, ...root } = node.parse(JSON.parse(writeSettingsSchema()));
  const settings = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== linkOfFiles));
  return `// Generated: ${pagesCommand}

/** The settings of an environment of Drawbridge. */
export type DrawbridgeSettings = ${typeOf({ ...root, properties: settings }, '')};
`;
}

function typeOf(schema: Node, indent: string): string {
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.anyOf !== undefined) return unionType(schema.anyOf.map((one) => typeOf(one, indent)));
  if (schema.type === 'array') return `readonly ${inParentheses(typeOf(schema.items ?? { required: [] }, indent))}[]`;
  if (schema.type === 'integer') return 'number';
  if (schema.properties === undefined && typeof schema.additionalProperties !== 'object')
    return schema.type ?? 'unknown';
  return objectType(schema, indent);
}

/** A word beside any text says nothing to a type-checker. */
function unionType(types: readonly string[]): string {
  const isAnyText = types.includes('string');
  return [...new Set(types)].filter((type) => !(isAnyText && type.startsWith("'"))).join(' | ');
}

function objectType({ properties = {}, additionalProperties, required }: Node, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, child]) => {
    const key = /^[a-z]\w*$/i.test(name) ? name : literal(name);
    const type = typeOf(child, inner);
    const field = required.includes(name) ? `${key}: ${type}` : `${key}?: ${orUndefined(type)}`;
    return [...docstring(child, inner), `${inner}readonly ${field};`];
  });
  if (typeof additionalProperties === 'object')
    lines.push(`${inner}readonly [name: string]: ${typeOf(additionalProperties, inner)};`);
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** A setting that is checked has every key, with no value where it is not set. */
const orUndefined = (type: string) => `${type} | undefined`;

function inParentheses(type: string): string {
  return /^[^{]* \| /.test(type) ? `(${type})` : type;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

/** Type-checkers show it where the setting is written. */
function docstring({ description, minimum, maximum, ...schema }: Node, indent: string): readonly string[] {
  const range =
    minimum !== undefined && maximum !== undefined && maximum < 1e9 ? `${minimum} to ${maximum}.` : undefined;
  const fallback = typeof schema.default === 'object' ? undefined : schema.default;
  const lines = [
    ...(description === undefined ? [] : [description]),
    ...(range === undefined ? [] : [range]),
    ...(fallback === undefined ? [] : [`@default ${literal(fallback)}`]),
  ];
  const [only, ...others] = lines;
  if (only === undefined) return [];
  if (others.length === 0) return [`${indent}/** ${only} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`];
}
