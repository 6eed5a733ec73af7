import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { type Comment, parse } from 'acorn';
import { simple } from 'acorn-walk';
import * as z from 'zod';
import { generated } from '#docs/generate/generated.ts';
import { readPage } from '#docs/generate/markdown-pages.ts';
import { writeTable } from '#docs/generate/write-table.ts';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { onboarding as onboardingSettings } from '#infra/setting-groups.ts';
import { unitOf } from '#infra/settings.ts';
import { type SchemaNode, settingsSchema } from '#infra/settings-file/settings-schema.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

/** The headings of the specification. */
const anchors = [...readPage(readFileSync(join(repositoryRoot, 'docs/reference/platform.md'), 'utf8')).anchors];

/** A row of the reference. */
type SettingRow = {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  /** As JSON; absent if there is none. */
  readonly fallback?: string;
  readonly isRequired: boolean;
  readonly meaning: string;
};

/** The settings of `onboarding`, or of `platformProfile`, whose defaults are those of the code. */
function nestedRows(
  group: string,
  defaults: Readonly<Record<string, unknown>>,
  meanings: ReadonlyMap<string, string>,
): readonly SettingRow[] {
  return Object.entries(settingsSchema().properties?.[group]?.properties ?? {}).map(([name, node]) => ({
    name,
    type: typeOf(node),
    unit: unitOf(`${group}.${name}`) ?? '',
    ...(defaults[name] !== undefined && { fallback: writeJson(defaults[name]) }),
    isRequired: false,
    meaning: meanings.get(name) ?? '',
  }));
}

/** The settings of `onboarding` and of `platformProfile`. Their meanings are the docstrings, which no function bundles. */
function nestedTables(): readonly (readonly SettingRow[])[] {
  const { onboarding, platformProfile: profile } = nestedMeanings();
  return [
    nestedRows('onboarding', onboardingSettings.parse({}), onboarding),
    nestedRows('platformProfile', platformProfile.parse({}), profile),
  ];
}

/** What each setting of `onboarding` and of `platformProfile` means. */
export const nestedMeanings = () => ({
  onboarding: docstringsOf('shared/onboarding/onboarding-settings.ts'),
  platformProfile: docstringsOf('shared/platform/profile/profile.ts'),
});

/** `docs/reference/settings.md`: what the settings file of an environment may have. */
export function writeSettings(): string {
  const [onboarding = [], profile = []] = nestedTables();
  return `${[
    preface,
    table(rowsOf(settingsSchema(), '')),
    '## `onboarding`',
    table(onboarding),
    '## `platformProfile`',
    'What the specification leaves open, or what a platform does otherwise. Functions get the profile as an environment variable. [Declare a status](../how-to/declare-statuses.md) explains `statuses`.',
    table(profile),
  ].join('\n\n')}\n`;
}

const preface = `${generated}

# Settings

*For the engineer who deploys.* The settings of an environment are in \`settings/<environment>.json\` ([files](../../settings/README.md)).

The CDK commands refuse an unknown setting, a value out of range, a placeholder address such as \`https://api.platform.example\`, and a stand-in for what
[only the operator of your platform knows](../how-to/deploy.md#ask-the-operator-of-the-platform). The contexts \`platform\`, \`platformProfile\`,
\`onboarding\` and \`webhookSources\` replace the setting of the file.

\`npx --no -- drawbridge settings --env production\` prints the value of each setting, and where the value comes from.`;

function rowsOf(node: SchemaNode, prefix: string): readonly SettingRow[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => [
    {
      name: `${prefix}${name}`,
      type: typeOf(child),
      unit: unitOf(`${prefix}${name}`) ?? '',
      ...(child.default !== undefined && child.properties === undefined && { fallback: writeJson(child.default) }),
      isRequired: node.required.includes(name),
      meaning: child.description ?? '',
    },
    ...(isDocumentedApart(name) ? [] : rowsOf(withDefaults(child), `${prefix}${name}.`)),
  ]);
}

function isDocumentedApart(name: string): boolean {
  return name === 'onboarding' || name === 'platformProfile';
}

/** With spaces, at which a narrow table can break it. */
function writeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(',"', ', "');
}

/** The default of an object is shown as that of its properties. */
function withDefaults(node: SchemaNode): SchemaNode {
  const defaults = z.record(z.string(), z.unknown()).catch({}).parse(node.default);
  const properties = Object.entries(node.properties ?? {}).map(
    ([name, child]) => [name, { ...child, ...(name in defaults && { default: defaults[name] }) }] as const,
  );
  return { ...node, properties: Object.fromEntries(properties) };
}

function typeOf(node: SchemaNode): string {
  if (node.enum !== undefined) return node.enum.join(', ');
  if (node.anyOf !== undefined) return [...new Set(node.anyOf.map(typeOf))].join(' or ');
  if (node.type === 'array') {
    const items = typeOf(node.items ?? { required: [] });
    return node.items?.enum === undefined ? `list of ${items}s` : `list of: ${items}`;
  }
  const range = [node.minimum, node.maximum].filter(
    (limit) => limit !== undefined && Number.isFinite(limit) && limit < 1e9,
  );
  return `${node.type ?? 'object'}${range.length === 2 ? `, ${range.join(' to ')}` : ''}`;
}

/** A range has the unit behind its limits. */
function withUnit(type: string, unit: string): string {
  const [, limits] = /^integer, (\d+ to \d+)$/.exec(type) ?? [];
  if (limits !== undefined) return unit === '' ? limits : `${limits} ${unit}`;
  return unit === '' ? type : `${type}, in ${unit}`;
}

function table(rows: readonly SettingRow[]): string {
  const cells = rows.map(({ name, type, unit, fallback, isRequired, meaning }) => {
    if (!/^[A-Z].+\.$/.test(meaning)) throw new Error(`Say in a sentence what the setting ${name} means.`);
    const none = isRequired ? ', required' : '';
    const range = `${withUnit(type, unit)}${fallback === undefined ? none : ` (\`${fallback}\`)`}`;
    return [`\`${name}\``, range, linkSections(meaning)];
  });
  return writeTable(['setting', 'type (default)', 'meaning'], cells);
}

/** Links each "section 3.3" to its heading in docs/reference/platform.md. */
function linkSections(text: string): string {
  return text.replaceAll(/\bsections? (\d)(?:\.(\d))?/g, (section, chapter: string, part = '') => {
    const anchor = anchors.find((name) => name.startsWith(`${chapter}${part}-`));
    if (anchor === undefined) throw new Error(`docs/reference/platform.md has no ${section}.`);
    return `[${section}](platform.md#${anchor})`;
  });
}

/** The docstring of each property of the objects in a source file, as one line. */
function docstringsOf(path: string): ReadonlyMap<string, string> {
  const code = stripTypeScriptTypes(readFileSync(join(repositoryRoot, path), 'utf8'));
  const comments: Comment[] = [];
  const options = { ecmaVersion: 'latest', sourceType: 'module', onComment: comments } as const;
  const found = new Map<string, string>();
  simple(parse(code, options), {
    Property: ({ key, start }) => {
      if (key.type !== 'Identifier') return;
      const before = comments.find(({ end }) => end < start && code.slice(end, start).trim() === '');
      if (before?.type === 'Block') found.set(key.name, textOf(before.value));
    },
  });
  return found;
}

function textOf(comment: string): string {
  return comment
    .replaceAll(/^\*|^\s*\*/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
