import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import * as z from 'zod';
import { writeEventSchemas } from '#docs/generate/bus/event-reference.ts';
import { buildPackage } from '#package/build/build-package.ts';
import { packRelease } from '#package/build/pack-release.ts';
import { repositoryRoot } from '#package/build/read-json.ts';

export type PackedPackage = {
  /** What `npm run build` writes. */
  readonly built: string;
  /** What npm publishes. */
  readonly tarball: string;
  /** The files in it. */
  readonly files: readonly string[];
  /** A directory of this worker in which the package is installed, with zod and the CDK beside it and little else. */
  readonly consumer: string;
};

let packed: PackedPackage | undefined;

/** Builds, packs and installs the package once for all tests. Those of a worker share a consumer. To be called in `beforeAll`. */
export async function preparePackage(): Promise<void> {
  packed ??= consumerOf(await buildOnce(join(inject('scratch'), 'package')));
}

/** The package that `preparePackage` installed. */
export function packedPackage(): PackedPackage {
  if (packed === undefined) throw new Error('Call preparePackage in beforeAll.');
  return packed;
}

const pack = z.object({
  built: z.string(),
  tarball: z.string(),
  files: z.array(z.string()).readonly(),
  /** Where the package is installed. */
  installed: z.string(),
});
type Pack = z.infer<typeof pack>;

/** The first worker that comes builds. The others wait for what it writes at the end: the package, or why there is none. */
async function buildOnce(directory: string): Promise<Pack> {
  const file = join(directory, 'pack.json');
  if (!begins(directory)) {
    while (!existsSync(file)) await wait(200);
    const done = z.union([pack, z.object({ failure: z.string() })]).parse(JSON.parse(readFileSync(file, 'utf8')));
    if ('failure' in done) throw new Error(`Another worker could not build the package: ${done.failure}`);
    return done;
  }
  const publish = (done: object) => {
    writeFileSync(`${file}.new`, JSON.stringify(done));
    renameSync(`${file}.new`, file);
  };
  try {
    const built = join(directory, 'built');
    const pages = join(directory, 'pages');
    mkdirSync(join(pages, 'events'), { recursive: true });
    writeFileSync(join(pages, 'cli.md'), '# Command line\n');
    for (const [name, schema] of writeEventSchemas())
      writeFileSync(join(pages, 'events', `${name}.json`), JSON.stringify(schema));
    await buildPackage(built, pages);
    const { filename, files } = packRelease(built, directory);
    const tarball = join(directory, filename);
    const done = { built, tarball, files, installed: install(tarball, join(directory, 'installed')) };
    publish(done);
    return done;
  } catch (error) {
    publish({ failure: String(error) });
    throw error;
  }
}

/** Whether this worker is the first to make the directory. */
function begins(directory: string): boolean {
  try {
    mkdirSync(directory);
    return true;
  } catch {
    return false;
  }
}

function install(tarball: string, directory: string): string {
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const zod = join(repositoryRoot, 'node_modules/zod');
  const options = ['install', '--offline', '--no-audit', '--no-fund', tarball, zod];
  execFileSync('npm', options, { cwd: directory, stdio: 'pipe' });
  return directory;
}

/** A folder for the files of this worker, with the packages that are installed once. */
function consumerOf({ built, tarball, files, installed }: Pack): PackedPackage {
  const consumer = mkdtempSync(join(inject('scratch'), 'consumer-'));
  // The CDK looks for the lock file of the project that it bundles.
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(installed, name), join(consumer, name));
  symlinkSync(join(installed, 'node_modules'), join(consumer, 'node_modules'));
  link(['aws-cdk-lib', 'constructs', '@aws-sdk', '@smithy'], consumer);
  return { built, tarball, files, consumer };
}

/** Puts packages of this repository beside the installed one, as a partner has them anyway. npm would fetch them each time. */
export function linkIntoConsumer(names: readonly string[]): void {
  link(names, packedPackage().consumer);
}

function link(names: readonly string[], consumer: string): void {
  for (const name of names) {
    const path = join(consumer, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    // Another worker may link the same package now: a link takes its place in one step.
    const linking = `${path}.${process.pid}`;
    symlinkSync(join(repositoryRoot, 'node_modules', name), linking);
    renameSync(linking, path);
  }
}

/** Runs a script of the consumer, as a partner's code, and returns what it prints. Writes the script first, unless it is there. */
export async function runInConsumer(
  name: string,
  script: string | undefined,
  env: Readonly<Record<string, string>> = {},
  node = process.execPath,
): Promise<string> {
  const { consumer } = packedPackage();
  if (script !== undefined) writeFileSync(join(consumer, name), script);
  const options = { cwd: consumer, env: { ...process.env, ...env } };
  return (await promisify(execFile)(node, [name], options)).stdout;
}

/**
 * Compiles files of the consumer strictly, libraries included.
 *
 * @returns what the compiler finds
 */
export function compileInConsumer(files: readonly string[]): string {
  const { consumer } = packedPackage();
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    types: ['node'],
    typeRoots: [join(repositoryRoot, 'node_modules/@types')],
  };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler], { cwd: consumer, encoding: 'utf8' });
  return stdout;
}

/** Bytes of the tarball. */
export function tarballBytes(): ArrayBuffer {
  const bytes = readFileSync(packedPackage().tarball);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}
