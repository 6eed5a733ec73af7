import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';
import { packageFolder, repositoryFolder } from '#cli/init/package-folder.ts';
import { unitOf } from '#infra/settings.ts';

const node = z.object({
  type: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  get properties() {
    return z.record(z.string(), node).optional();
  },
});

type Node = z.output<typeof node>;

/** What a setting takes. */
export type ExplainedSetting = {
  /** Its path, such as `reconciliation.everyHours`. */
  readonly key: string;
  readonly meaning: string;
  readonly unit: string | undefined;
  readonly default: unknown;
};

/** What each setting takes, from the schema that editors use. @param key all of a group, or all by default @throws {CommandError} */
export function explainSettings(key: string | undefined): readonly ExplainedSetting[] {
  const file =
    packageFolder === undefined
      ? join(repositoryFolder ?? '', 'settings/settings.schema.json')
      : join(packageFolder, 'settings.schema.json');
  const all = explain(node.parse(JSON.parse(readFileSync(file, 'utf8'))), []);
  const found = all.filter((one) => key === undefined || one.key === key || one.key.startsWith(`${key}.`));
  if (found.length > 0) return found;
  throw new CommandError(`There is no setting ${key}.`, 'drawbridge settings --explain, which lists every setting.');
}

function explain({ properties = {} }: Node, path: readonly string[]): readonly ExplainedSetting[] {
  return Object.entries(properties)
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, child]) => {
      const key = [...path, name].join('.');
      const own = { key, meaning: child.description ?? '', unit: unitOf(key), default: child.default };
      const inner = explain(child, [...path, name]);
      return inner.length > 0 ? inner : [own];
    });
}
