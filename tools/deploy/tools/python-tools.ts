import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CommandError, runCommand } from './command.ts';

/** The programs that pip has installed. */
export type PythonTools = {
  /** The folder of the programs, for the path of a process. */
  readonly bin: string;
};

/** A program of this machine that the deployment needs, and how to get it. */
export type Missing = { readonly missing: string };

export type PythonToolsOptions = {
  /** The repository. The virtual environment is kept in its `node_modules/.cache`. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** The lists of programs, each of a virtual environment of its own. */
const requirementsFiles = {
  deploy: join(import.meta.dirname, 'requirements.txt'),
  scan: join(import.meta.dirname, 'scanner-requirements.txt'),
  api: fileURLToPath(import.meta.resolve('#tools/conformance/api/requirements.txt')),
} as const;

/** MiniStack needs it. The module `ensurepip` is a package of its own on Debian. */
const probe = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';

/** Installs the pinned programs into a virtual environment, once for each list of requirements. */
export async function installPythonTools(
  { root, env }: PythonToolsOptions,
  purpose: keyof typeof requirementsFiles = 'deploy',
): Promise<PythonTools | Missing> {
  const requirementsFile = requirementsFiles[purpose];
  const options = { cwd: root, env };
  if (!(await succeeds(() => runCommand('openssl', ['version'], options))))
    return { missing: 'the program openssl, with which the emulator makes its certificate' };
  const requirements = readFileSync(requirementsFile, 'utf8');
  const digest = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  const folder = join(root, 'node_modules/.cache/drawbridge', `${purpose}-${digest}`);
  const complete = join(folder, 'complete');
  const tools = { bin: join(folder, 'bin') };
  if (existsSync(complete)) return tools;
  const python = await findPython(options);
  if (python === undefined) return { missing: 'Python 3.10 or newer, with its modules venv and ensurepip' };
  rmSync(folder, { recursive: true, force: true });
  await runCommand(python, ['-m', 'venv', folder], options);
  const pip = (...args: readonly string[]) =>
    runCommand(join(tools.bin, 'python'), ['-m', 'pip', ...args, '--quiet', '--disable-pip-version-check'], options);
  try {
    await install(() => pip('install', '--no-deps', '-r', requirementsFile));
  } catch (error) {
    // Where not even pip itself can be had, nothing is wrong with the list.
    if (await succeeds(() => pip('download', '--no-deps', '--dest', join(folder, 'probe'), 'pip'))) throw error;
    return { missing: 'an answer of the Python package index, from which pip installs the emulator' };
  }
  writeFileSync(complete, '');
  return tools;
}

/** In milliseconds: an index of packages can lack a version for a moment. */
const pauses = [5_000, 30_000];

/** @throws {CommandError} when no attempt succeeds */
async function install(run: () => Promise<string>): Promise<void> {
  for (const pause of pauses) {
    if (await succeeds(run)) return;
    await setTimeout(pause);
  }
  await run();
}

type Options = Parameters<typeof runCommand>[2];

async function findPython(options: Options): Promise<string | undefined> {
  for (const python of ['python3', 'python'])
    if (await succeeds(() => runCommand(python, ['-c', probe], options))) return python;
  return undefined;
}

async function succeeds(run: () => Promise<string>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}
