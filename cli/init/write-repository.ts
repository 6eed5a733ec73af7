import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { version } from '#shared/version.ts';

const scope = '@drawbridge-partner';
const packageName = `${scope}/drawbridge`;

/** The name in the files of the template, which that of the new repository replaces. */
const templateName = 'my-bank';

/** Where a new repository gets Drawbridge from. */
export type PackageSource = {
  /** What package.json names: a version, or a file. */
  readonly dependency: string;
  /** Where the version is; undefined for a file. */
  readonly registry?: string;
};

export type NewRepository = {
  /** Becomes the name of the npm package and of the stacks. */
  readonly name: string;
  readonly drawbridge: PackageSource;
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
  const packageFile = join(folder, 'package.json');
  const ofTemplate = `"${packageName}": "${version}"`;
  const { dependency, registry } = drawbridge;
  const text = readFileSync(packageFile, 'utf8');
  writeFileSync(packageFile, text.replace(ofTemplate, `"${packageName}": ${JSON.stringify(dependency)}`));
  if (registry !== undefined) writeFileSync(join(folder, '.npmrc'), `${scope}:registry=${registry}\n`);
}

/** Where a new repository keeps the tarball of a package that no registry has. */
const vendorFolder = 'vendor';

const installed = z.object({ packages: z.record(z.string(), z.looseObject({ resolved: z.string().optional() })) });
const packReport = z.tuple([z.object({ filename: z.string() })]);

/**
 * Finds out how the new repository gets Drawbridge. A package from a registry has a version there, and the repository takes the scope from no
 * other registry. Any other package is packed into the repository, so that a clone of the repository needs only npm to install.
 *
 * @param packageFolder the package that runs
 */
export function provideDrawbridge(packageFolder: string, repository: string): PackageSource {
  const registry = registryOf(packageFolder);
  return registry === undefined
    ? { dependency: packInto(repository, packageFolder) }
    : { dependency: version, registry };
}

/** npm notes where each installed package is from. An `.npmrc` can leave the addresses of registries out. */
function registryOf(packageFolder: string): string | undefined {
  const file = join(packageFolder, '../../.package-lock.json');
  if (!existsSync(file)) return undefined;
  const entry = installed.parse(JSON.parse(readFileSync(file, 'utf8'))).packages[`node_modules/${packageName}`];
  if (entry === undefined || entry.resolved?.startsWith('file:')) return undefined;
  const registry = configured(`${scope}:registry`) ?? configured('registry');
  return registry !== undefined && (entry.resolved?.startsWith(registry) ?? true) ? registry : undefined;
}

function configured(key: string): string | undefined {
  const value = execFileSync('npm', ['config', 'get', key], { encoding: 'utf8' }).trim();
  return value === 'undefined' ? undefined : value;
}

function packInto(repository: string, packageFolder: string): string {
  const destination = join(repository, vendorFolder);
  mkdirSync(destination, { recursive: true });
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination, packageFolder];
  const [{ filename }] = packReport.parse(JSON.parse(execFileSync('npm', options, { encoding: 'utf8' })));
  return `file:${vendorFolder}/${filename}`;
}
