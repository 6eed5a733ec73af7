import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import * as z from 'zod';

/** A file as it could be in the repository, and what the linter must say of it: nothing where `finding` is left out. */
export type Snippet = {
  readonly what: string;
  readonly path: string;
  readonly code: string;
  /** The name of a rule of Biome's, or a part of the message. */
  readonly finding?: string;
};

/** The snippets that the linter must leave alone, each with its title. */
export const allowed = (snippets: readonly Snippet[]) =>
  titled(snippets.filter(({ finding }) => finding === undefined));
/** The snippets that the linter must find, each with its title. */
export const refused = (snippets: readonly Snippet[]) =>
  titled(snippets.filter(({ finding }) => finding !== undefined));
const titled = (snippets: readonly Snippet[]) => snippets.map((snippet): [string, Snippet] => [snippet.what, snippet]);

const root = dirname(import.meta.dirname);

const report = z.object({
  diagnostics: z.array(
    z.object({
      severity: z.string(),
      category: z.string(),
      message: z.string(),
      location: z.object({ path: z.string() }),
    }),
  ),
});

/**
 * Lints all snippets in one run, with the rules of the repository, in a directory that is not the repository.
 *
 * @returns for each path what was found, as `severity rule: message`
 */
export async function lintSnippets(snippets: readonly Snippet[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-lint-'));
  try {
    for (const name of ['biome.json', 'lint', 'package.json', '.gitignore']) {
      cpSync(join(root, name), join(directory, name), { recursive: true });
    }
    for (const { path, code } of snippets) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), code, { flag: 'wx' });
    }
    const found = new Map<string, string[]>();
    const { diagnostics } = report.parse(JSON.parse(await lint(directory)));
    for (const { severity, category, message, location } of diagnostics) {
      const text = `${severity} ${category}: ${message}`;
      found.set(location.path, [...(found.get(location.path) ?? []), text]);
    }
    return found;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Holds the linter to what the snippet says: nothing at all, or an error, since a warning fails no build. */
export function expectVerdict(found: ReadonlyMap<string, readonly string[]>, { path, finding }: Snippet): void {
  const findings = found.get(path) ?? [];
  if (finding === undefined) expect(findings).toEqual([]);
  else expect(findings.filter((text) => text.startsWith('error ')).join('\n')).toContain(finding);
}

/** What Biome reports as JSON. It fails where it finds something, and reports all the same. */
async function lint(directory: string): Promise<string> {
  const command = join(root, 'node_modules/.bin/biome');
  const options = { cwd: directory, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(command, ['lint', '--reporter=json', '--max-diagnostics=none', '.'], options))
      .stdout;
  } catch (error) {
    return z.object({ stdout: z.string() }).parse(error).stdout;
  }
}
