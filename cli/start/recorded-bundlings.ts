import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { parseJson } from '#shared/parse-json.ts';

/**
 * Bundles a function into a folder.
 *
 * @returns the absolute paths of all sources
 * @throws when the sources do not compile, with the message of the bundler
 */
export type Bundling = (folder: string) => Promise<readonly string[]>;

const recorded = z.object({ command: z.array(z.string()), folder: z.string() });
const metafile = z.object({ inputs: z.record(z.string(), z.unknown()) });
const failure = z.object({ stderr: z.string() });

/** The environment of a CDK app whose bundlings are noted in a file. @param recorder the URL of the module that notes them */
export function recordingEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { recorder, file }: { readonly recorder: string; readonly file: string },
): Readonly<Record<string, string | undefined>> {
  rmSync(file, { force: true });
  const options = [environment['NODE_OPTIONS'] ?? '', `--import=${recorder}`].join(' ').trim();
  return { ...environment, NODE_OPTIONS: options, DRAWBRIDGE_BUNDLINGS: file };
}

/** The bundlings that the CDK app ran, to be repeated. None if it ran none. */
export function recordedBundlings(file: string): readonly Bundling[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => bundlingOf(recorded.parse(parseJson(line))));
}

function bundlingOf({ command, folder: root }: z.infer<typeof recorded>): Bundling {
  const begin = command.indexOf('--bundle');
  const output = command.find((option) => option.startsWith('--outfile='))?.slice('--outfile='.length) ?? 'index.js';
  const options = command.slice(begin).filter((option) => !/^--(?:outfile|metafile|log-level)=/.test(option));
  // A package manager takes longer to find esbuild than esbuild takes to bundle.
  const installed = join(root, 'node_modules/.bin/esbuild');
  const [program = '', ...others] = existsSync(installed) ? [installed] : command.slice(0, begin);
  return async (folder) => {
    const meta = `${folder}.json`;
    const own = [`--outfile=${join(folder, basename(output))}`, `--metafile=${meta}`, '--log-level=warning'];
    try {
      await promisify(execFile)(program, [...others, ...options, ...own], { cwd: root });
    } catch (cause) {
      throw new Error(failure.safeParse(cause).data?.stderr ?? String(cause), { cause });
    }
    const { inputs } = metafile.parse(parseJson(readFileSync(meta, 'utf8')));
    return Object.keys(inputs).map((path) => resolve(root, path));
  };
}
