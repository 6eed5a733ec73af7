import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand, succeeds } from './command.ts';

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

/** The oldest Python of each list: that of MiniStack, and of the newest packages that the others need. */
const oldestPython = { deploy: '3.10', scan: '3.11.5', api: '3.10' } as const;

/** The module `ensurepip` is a package of its own on Debian. */
function probeOf(purpose: keyof typeof requirementsFiles): string {
  return `import sys, venv, ensurepip; sys.exit(sys.version_info < (${oldestPython[purpose].replaceAll('.', ', ')}))`;
}

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
  const python = await findPython(probeOf(purpose), options);
  if (python === undefined)
    return { missing: `Python ${oldestPython[purpose]} or newer, with its modules venv and ensurepip` };
  rmSync(folder, { recursive: true, force: true });
  await runCommand(python, ['-m', 'venv', folder], options);
  const pip = (...args: readonly string[]) =>
    runCommand(join(tools.bin, 'python'), ['-m', 'pip', ...args, '--quiet', '--disable-pip-version-check'], options);
  try {
    await pip('install', '--no-deps', '-r', requirementsFile);
  } catch (error) {
    // Where not even pip itself can be had, nothing is wrong with the list.
    if (await succeeds(() => pip('download', '--no-deps', '--dest', join(folder, 'probe'), 'pip'))) throw error;
    return { missing: 'an answer of the Python package index, from which pip installs the emulator' };
  }
  writeFileSync(complete, '');
  return tools;
}

type Options = Parameters<typeof runCommand>[2];

async function findPython(probe: string, options: Options): Promise<string | undefined> {
  for (const python of ['python3', 'python', 'python3.13', 'python3.12'])
    if (await succeeds(() => runCommand(python, ['-c', probe], options))) return python;
  return undefined;
}
