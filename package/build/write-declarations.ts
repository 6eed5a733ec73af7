import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type SchemaNode, schemaNode } from '#infra/settings-file/settings-schema.ts';
import { apiFields, busFields, envelopeFields, type FieldMeaning, platformFields } from './field-meanings.ts';
import { readJson, repositoryRoot } from './read-json.ts';

const fullTypesFile = 'package/build/full-types.d.ts';

/** What editors show of a settings file: the type of the settings shows the same. */
const settings = schemaNode.parse(readJson('settings/settings.schema.json'));

/**
 * Writes the declarations of every source that an entry reaches, as the compiler emits them, below `types/`. Each is there for ES
 * modules and for CommonJS, and names its imports by relative paths: a `#` import is one of this repository.
 *
 * @throws when the sources have errors of types
 */
export function writeDeclarations(directory: string): void {
  const types = join(directory, 'types');
  const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
  const project = join(repositoryRoot, 'package/tsconfig.json');
  execFileSync(process.execPath, [compiler, '--project', project, '--outDir', types], { stdio: ['ignore', 2, 2] });
  const full = readFullTypes(readFileSync(join(types, fullTypesFile), 'utf8'));
  rmSync(join(types, fullTypesFile));
  for (const path of globSync('**/*.d.ts', { cwd: types })) {
    const text = putFullTypes(readFileSync(join(types, path), 'utf8'), full);
    writeFileSync(join(types, path), rewriteImports(text, path, 'js'));
    writeFileSync(join(types, path.replace(/\.d\.ts$/, '.d.cts')), rewriteImports(text, path, 'cjs'));
  }
}

/**
 * The text of a declaration with imports that resolve in the package.
 *
 * @param path of the declaration, from the root of the declarations
 */
function rewriteImports(text: string, path: string, extension: 'js' | 'cjs'): string {
  return text.replace(
    /(\bfrom |\bimport\(|\bimport )(['"])(#|\.\/)([^'"]+)\.ts\2/g,
    (_, keyword: string, quote: string, start: string, target: string) => {
      const to = start === '#' ? relative(dirname(path), target) : target;
      return `${keyword}${quote}${to.startsWith('.') ? '' : './'}${to}.${extension}${quote}`;
    },
  );
}

/** The types of `full-types.ts` by their names, as the compiler wrote them, each field with its documentation. */
export function readFullTypes(declaration: string): ReadonlyMap<string, string> {
  const groups = declaration.matchAll(/^ {4}(\w+): \{\n([\s\S]*?)\n {4}\};$/gm);
  return new Map(
    [...groups].flatMap(([, group = '', types = '']) =>
      [...types.matchAll(/^ {8}(\w+): (\{\n[\s\S]*?\n {8}\});$/gm)].map(([, name = '', text = '']) => [
        name,
        documentFields([group, name], text.replaceAll(/^ {8}/gm, '')),
      ]),
    ),
  );
}

/** In place of each type that is inferred from a schema, the type in full. */
function putFullTypes(text: string, full: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /^(export type (\w+) = )(?:\{\n[\s\S]*?\n\}|[^\n]*);$/gm,
    (statement, start: string, name: string) => {
      const type = full.get(name);
      return type === undefined ? statement : `${start}${type};`;
    },
  );
}

/**
 * Puts the documentation above each field of an object type.
 *
 * @param type its group and its name
 * @throws when `field-meanings.ts` does not say what a field means
 */
function documentFields(type: readonly [group: string, name: string], text: string): string {
  const around: string[] = [];
  return text
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', name] = /^(\s+)(?:readonly )?["']?([\w-]+|\[x: string\])["']?\??: /.exec(line) ?? [];
      if (name === undefined) {
        if (/^\s+\}/.test(line) && !line.endsWith('{')) around.pop();
        return [line];
      }
      const documentation = docstring(linesAbove(type, around, name), indent);
      if (line.endsWith('{')) around.push(name);
      return [...documentation, line];
    })
    .join('\n');
}

/** Types whose fields are names of events, kinds and event types, which say what they are. */
const byName = ['BusEvents', 'Entities', 'ListedEntities', 'WebhookBodies'];

/** @param around the names of the fields around the field */
function linesAbove(
  [group, type]: readonly [string, string],
  around: readonly string[],
  name: string,
): readonly string[] {
  if (group === 'settings') return linesOfSetting([...around, name]);
  if (name.startsWith('[') || (around.length === 0 && byName.includes(type))) return [];
  const fields = fieldsOf(group, around.length);
  const meaning = fields[`${around.at(-1)}.${name}`] ?? fields[name];
  if (meaning === undefined)
    throw new Error(`Say in field-meanings.ts what ${[type, ...around, name].join('.')} means.`);
  return linesOfMeaning(typeof meaning === 'string' ? { meaning } : meaning);
}

function fieldsOf(group: string, depth: number): Readonly<Record<string, FieldMeaning | string>> {
  if (group === 'bus') return depth === 1 ? envelopeFields : busFields;
  return group === 'drawbridge' ? apiFields : platformFields;
}

function linesOfMeaning({ meaning, format, unit, section, example }: FieldMeaning): readonly string[] {
  return [
    meaning,
    ...(format === undefined ? [] : [`Format: ${format}.`]),
    ...(unit === undefined ? [] : [`Unit: ${unit}.`]),
    ...(section === undefined ? [] : [`Section ${section} of the specification.`]),
    ...(example === undefined ? [] : [`@example ${JSON.stringify(example)}`]),
  ];
}

/** What a setting means, its range and its default. None below a name that the user chooses, such as that of an event type. */
function linesOfSetting(path: readonly string[]): readonly string[] {
  const setting = path.reduce<SchemaNode | undefined>(
    (node, name) => (node?.items ?? node)?.properties?.[name],
    settings,
  );
  const { description, minimum, maximum = Number.MAX_SAFE_INTEGER, default: fallback } = setting ?? {};
  return [
    ...(description === undefined ? [] : [description]),
    ...(minimum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`${minimum} to ${maximum}.`]),
    ...(fallback === undefined || typeof fallback === 'object' ? [] : [`@default ${JSON.stringify(fallback)}`]),
  ];
}

function docstring(lines: readonly string[], indent: string): readonly string[] {
  if (lines.length === 0) return [];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`];
}
