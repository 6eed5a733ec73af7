import * as z from 'zod';
import { pagesCommand } from '#docs/generate/generated.ts';
import { settingsJsonSchema } from '#infra/settings-file/settings-schema.ts';
import { nestedMeanings } from './write-settings.ts';

const objectNode = z.looseObject({ properties: z.record(z.string(), z.looseObject({})) });

/** `settings/settings.schema.json`: completes and checks a settings file in an editor. */
export function writeSettingsSchema(): string {
  const { properties, ...root } = objectNode.parse(settingsJsonSchema());
  const described = Object.entries(nestedMeanings()).map(([name, meanings]) => {
    const node = objectNode.parse(properties[name]);
    const children = Object.entries(node.properties).map(
      ([key, child]) => [key, { ...child, description: meanings.get(key) }] as const,
    );
    return [name, { ...node, properties: Object.fromEntries(children) }] as const;
  });
  const schema = {
    ...root,
    title: 'Settings of an environment of Drawbridge',
    $comment: `Generated: ${pagesCommand}`,
    properties: { $schema: { type: 'string' }, ...properties, ...Object.fromEntries(described) },
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
