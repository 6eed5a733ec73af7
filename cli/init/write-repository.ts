import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { version } from '#shared/version.ts';

/** The name in the files of the template, which that of the new repository replaces. */
const templateName = 'my-bank';

export type NewRepository = {
  /** Becomes the name of the npm package and of the stacks. */
  readonly name: string;
  /** What package.json has for the package `drawbridge`: a version, or a file. */
  readonly drawbridge: string;
};

/** Writes a repository of a partner into a folder, from the template of the package. */
export function writeRepository(template: string, folder: string, { name, drawbridge }: NewRepository): void {
  cpSync(template, folder, { recursive: true });
  // npm packs no .gitignore.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
  for (const path of globSync('**/*.{ts,json,md}', { cwd: folder })) {
    const text = readFileSync(join(folder, path), 'utf8');
    writeFileSync(join(folder, path), text.replaceAll(templateName, name));
  }
  // The version of the dependency: a script has the same name.
  const packageFile = join(folder, 'package.json');
  const text = readFileSync(packageFile, 'utf8');
  writeFileSync(packageFile, text.replace(/("drawbridge": )"\d[^"]*"/, `$1${JSON.stringify(drawbridge)}`));
}

/** Where a new repository keeps the tarball of a package that no registry has. */
const vendorFolder = 'vendor';

const installed = z.object({ packages: z.record(z.string(), z.looseObject({ resolved: z.string().optional() })) });
const packReport = z.tuple([z.object({ filename: z.string() })]);

/**
 * Finds out how the new repository gets the package `drawbridge`. A package from a registry has a version there. Any other is packed
 * into the repository, so that a clone of the repository needs only npm to install.
 *
 * @param packageFolder the package that runs
 * @returns what package.json names: a version or a file
 */
export function provideDrawbridge(packageFolder: string, repository: string): string {
  return isFromRegistry(packageFolder) ? version : packInto(repository, packageFolder);
}

/** npm notes where each installed package is from. An `.npmrc` can leave the addresses of registries out. */
function isFromRegistry(packageFolder: string): boolean {
  const file = join(packageFolder, '../.package-lock.json');
  if (!existsSync(file)) return false;
  const entry = installed.parse(JSON.parse(readFileSync(file, 'utf8'))).packages['node_modules/drawbridge'];
  return entry !== undefined && !entry.resolved?.startsWith('file:');
}

function packInto(repository: string, packageFolder: string): string {
  const destination = join(repository, vendorFolder);
  mkdirSync(destination, { recursive: true });
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination, packageFolder];
  const [{ filename }] = packReport.parse(JSON.parse(execFileSync('npm', options, { encoding: 'utf8' })));
  return `file:${vendorFolder}/${filename}`;
}
