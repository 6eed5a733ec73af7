import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { compareVersions } from '#shared/version.ts';
import { isReleaseVersion } from '#tools/release/release-version.ts';
import { adaptAssembly } from './assembly/adapt-assembly.ts';
import { assembliesOf, type DeployRun, settleMs } from './deploy-run.ts';
import { runCommand } from './tools/command.ts';

/** A release whose package is kept below `tools/release/kept`. */
export type Release = { readonly version: string; readonly tarball: string };

/** The latest release. Undefined while there is none. */
export function findLatestRelease(root: string): Release | undefined {
  const folder = join(root, 'tools/release/kept');
  const [release] = (existsSync(folder) ? readdirSync(folder) : [])
    .filter(isReleaseVersion)
    .toSorted(compareVersions)
    .reverse()
    .flatMap((version) =>
      globSync('*.tgz', { cwd: join(folder, version) }).map((file) => ({
        version,
        tarball: join(folder, version, file),
      })),
    );
  return release;
}

export const repositoryName = 'our-bank';

const manifest = z.looseObject({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});
const named = z.object({ name: z.string(), version: z.string() });
const settingsFile = z.looseObject({ platform: z.unknown() });

/** The package of the repository that is checked. */
export const readPackage = (root: string) => named.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/**
 * Writes a partner's repository with `drawbridge init` of a release, for the platform of this run. Drawbridge is installed from the tarball;
 * all else is linked from this repository, because the registry may be out of reach.
 *
 * @returns the same deployment, operated in the repository
 */
export async function initRepository(deployment: DeployRun, { tarball }: Release): Promise<DeployRun> {
  const { root, platform, environment } = deployment;
  const home = join(deployment.directory, 'partner');
  // The linked packages are installed: their scripts would change this repository.
  const npm = { npm_config_offline: 'true', npm_config_ignore_scripts: 'true', npm_config_audit: 'false' };
  const env = { ...deployment.env, ...npm };
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  link(root, home, ['zod']);
  await runCommand('npm', ['install', tarball], { cwd: home, env });
  await runCommand(join(home, 'node_modules/.bin/drawbridge'), ['init', repositoryName], { cwd: home, env });
  const directory = join(home, repositoryName);
  linkDependencies(root, directory);
  await runCommand('npm', ['install'], { cwd: directory, env });
  const file = join(directory, 'settings', `${environment}.json`);
  const { origin } = platform;
  const settings = {
    ...settingsFile.parse(JSON.parse(readFileSync(file, 'utf8'))),
    platform: { baseUrl: origin, authUrl: origin },
    platformProfile: { undelivered: { settle: settleMs } },
  };
  writeFileSync(file, JSON.stringify(settings, undefined, 2));
  return { ...deployment, directory, env };
}

/** Puts each package that the repository names beside Drawbridge into its place, in the version of this repository. */
function linkDependencies(root: string, repository: string): void {
  const file = join(repository, 'package.json');
  const written = manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  const asLinked = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(all).map(([name, version]) => {
        if (version.startsWith('file:')) return [name, version];
        link(root, repository, [name]);
        return [name, readPackage(join(root, 'node_modules', name)).version];
      }),
    );
  const { dependencies, devDependencies, ...others } = written;
  const linked = {
    ...others,
    // Drawbridge needs zod, which npm would remove with the last release and then look for.
    dependencies: asLinked({ ...dependencies, zod: '*' }),
    devDependencies: asLinked(devDependencies),
  };
  writeFileSync(file, JSON.stringify(linked, undefined, 2));
}

function link(root: string, folder: string, packages: readonly string[]): void {
  for (const name of packages) {
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), path);
  }
}

/** Imports Drawbridge by another name, in all files of the repository. */
export function renameImports(repository: string, from: string, to: string): void {
  const exclude = ['node_modules/**', '*.out/**'];
  for (const path of globSync('**/*.{ts,json}', { cwd: repository, exclude })) {
    const file = join(repository, path);
    const text = readFileSync(file, 'utf8');
    const renamed = text.replaceAll(`'${from}/`, `'${to}/`).replaceAll(`node_modules/${from}/`, `node_modules/${to}/`);
    if (renamed !== text) writeFileSync(file, renamed);
  }
}

/** Synthesizes the app of the repository with the installed release, and adapts the templates to the emulator. */
export async function synthesizeRepository({ directory, environment, env }: DeployRun): Promise<void> {
  const { synthesized, adapted } = assembliesOf({ directory });
  const context = ['--context', `environment=${environment}`];
  await runCommand('npm', ['run', 'synth', '--', '--ci', '--output', synthesized, ...context], { cwd: directory, env });
  adaptAssembly(synthesized, adapted);
}
