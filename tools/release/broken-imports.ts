import { isDeepStrictEqual } from 'node:util';
import type { ReleaseTemplate, ReleaseTemplates } from './release-templates.ts';

/** Exports that the earlier service stack still imports when the new data stack is deployed. */
export function brokenImports(before: ReleaseTemplates, after: ReleaseTemplates): readonly string[] {
  const old = exportsOf(before.data);
  const now = exportsOf(after.data);
  const used = importsOf(before.service);
  return [...old]
    .filter(([name, value]) => used.has(name) && !isDeepStrictEqual(now.get(name), value))
    .map(([name]) => {
      const what = now.has(name) ? 'has another value' : 'is removed';
      return `Export ${name} of the data stack ${what} while the earlier service stack imports it: keep it with exportValue for one minor release.`;
    });
}

function exportsOf({ Outputs }: ReleaseTemplate): ReadonlyMap<string, unknown> {
  return new Map(
    Object.values(Outputs).flatMap(({ Value, Export }) => (Export === undefined ? [] : [[nameOf(Export.Name), Value]])),
  );
}

/** What a template imports, at any depth. */
function importsOf(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(
    Object.entries(value).flatMap(([key, part]) => (key === 'Fn::ImportValue' ? [nameOf(part)] : [...importsOf(part)])),
  );
}

/** The name of an export can be an expression. */
function nameOf(name: unknown): string {
  return typeof name === 'string' ? name : JSON.stringify(name);
}
