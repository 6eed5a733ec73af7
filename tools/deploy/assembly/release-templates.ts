import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '#shared/version.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { isReleaseVersion } from '#tools/release/release-version.ts';
import { idsOfType, type Template, template } from './template.ts';

/** The templates of a release, below `tools/releases`. */
export type Release = { readonly version: string; readonly folder: string };

/** The latest release. Undefined while there is none. */
export function findLatestRelease(root: string): Release | undefined {
  const folder = join(root, 'tools/releases');
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  const version = versions.filter(isReleaseVersion).toSorted(compareVersions).at(-1);
  return version === undefined ? undefined : { version, folder: join(folder, version) };
}

const lambdaType = 'AWS::Lambda::Function';

/** The environment for which the templates of releases are synthesized. */
const releaseEnvironment = 'release';

/**
 * A template of a release for the environment of today, with the code of today: the releases keep no code. Nothing
 * invokes a function before the upgrade.
 *
 * @throws {DeploymentError}
 */
export function asDeployable(text: string, environment: string, today: Template): Template {
  const renamed = template.parse(
    JSON.parse(text.replaceAll(`drawbridge-${releaseEnvironment}`, `drawbridge-${environment}`)),
  );
  const [someId] = idsOfType(today, lambdaType);
  const codeOf = (id: string) => today.Resources[id]?.Properties?.['Code'];
  const resources = Object.entries(renamed.Resources).map(([id, one]) => {
    if (one.Type !== lambdaType) return [id, one] as const;
    const Code = codeOf(id) ?? codeOf(someId ?? '');
    if (Code === undefined) throw new DeploymentError(`No code of today fits the function ${id}.`);
    return [id, { ...one, Properties: { ...one.Properties, Code } }] as const;
  });
  return { ...renamed, Resources: Object.fromEntries(resources) };
}

/** Reads a template of a release. @param stack `data` or `service` */
export const readRelease = ({ folder }: Release, stack: string): string =>
  readFileSync(join(folder, `${stack}.template.json`), 'utf8');
