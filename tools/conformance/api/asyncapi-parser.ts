import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ProcessFailedError } from '#tools/deploy/errors.ts';
import { runCommand } from '#tools/deploy/tools/command.ts';
import type { Missing, PythonToolsOptions } from '#tools/deploy/tools/python-tools.ts';

const sources = join(import.meta.dirname, 'asyncapi');
const copiedFiles = ['package.json', 'package-lock.json', 'validate.mjs'] as const;
const severities = ['error', 'warning', 'information', 'hint'] as const;
const failingSeverities: readonly string[] = ['error', 'warning'] satisfies readonly (typeof severities)[number][];

const parserOutput = z.object({
  version: z.string(),
  messages: z.number(),
  diagnostics: z.array(
    z.object({
      code: z.union([z.string(), z.number()]),
      message: z.string(),
      path: z.array(z.union([z.string(), z.number()])),
      severity: z.number().transform((severity) => severities[severity] ?? 'error'),
    }),
  ),
});

/** What the parser says of a document. */
export type AsyncapiReport = {
  /** One line on the document, and one for each diagnostic. */
  readonly text: string;
  /** Whether no diagnostic is an error or a warning. */
  readonly isValid: boolean;
};

/** Installs `@asyncapi/parser` once for each lock file. Returns the folder of the program that runs the parser. */
export async function installAsyncapiParser({ root, env }: PythonToolsOptions): Promise<{ folder: string } | Missing> {
  const digest = createHash('sha256');
  for (const file of copiedFiles) digest.update(readFileSync(join(sources, file)));
  const folder = join(root, 'node_modules/.cache/drawbridge', `asyncapi-${digest.digest('hex').slice(0, 12)}`);
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return { folder };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of copiedFiles) copyFileSync(join(sources, file), join(folder, file));
  // Without --prefix, npm takes the project around node_modules for the one to install.
  const npm = (...args: readonly string[]) => runCommand('npm', [...args, '--prefix', folder], { cwd: folder, env });
  try {
    // A package below the parser has an install script that reports to a server.
    await npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1');
  } catch (error) {
    if (!(error instanceof ProcessFailedError)) throw error;
    // Where not even npm itself can be had, nothing is wrong with the lock file.
    const answers = await npm('view', 'npm', 'version', '--fetch-retries=0').then(() => true, isNoAnswer);
    if (answers) throw error;
    return { missing: 'npm, or an answer of the npm registry, which has @asyncapi/parser' };
  }
  writeFileSync(complete, '');
  return { folder };
}

/** Parses an AsyncAPI document in a process of its own. @throws {ProcessFailedError} when the parser does not run to its end */
export async function validateAsyncapi(
  document: string,
  { folder, root, env }: PythonToolsOptions & { readonly folder: string },
): Promise<AsyncapiReport> {
  const program = join(folder, 'validate.mjs');
  const output = await runCommand(process.execPath, [program, document], { cwd: root, env });
  const { version, messages, diagnostics } = parserOutput.parse(JSON.parse(output));
  const found = diagnostics.map(
    ({ severity, code, path, message }) => `${severity} ${code} at /${path.join('/')}: ${message}`,
  );
  const summary = `${document}: AsyncAPI ${version}, ${messages} messages, ${diagnostics.length} diagnostics`;
  return {
    text: [summary, ...found].join('\n'),
    isValid: !diagnostics.some(({ severity }) => failingSeverities.includes(severity)),
  };
}

function isNoAnswer(error: unknown): boolean {
  if (error instanceof ProcessFailedError) return false;
  throw error;
}
