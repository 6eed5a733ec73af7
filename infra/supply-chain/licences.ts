import type { LockedPackage } from './lock-file.ts';

/** Licences of what is deployed: permissive ones, which ask for a notice at most. */
export const deployedLicences: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
]);

/**
 * Licences of what only development uses, and no one receives. MPL-2.0 asks those who change and distribute a file to publish
 * the file. Of an expression with OR, the project chooses the permissive licence.
 */
export const developmentLicences: ReadonlySet<string> = new Set([
  ...deployedLicences,
  '(BSD-2-Clause OR MIT OR Apache-2.0)',
  '(MIT OR GPL-3.0-or-later)',
  '(MIT OR WTFPL)',
  'BlueOak-1.0.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'MIT OR Apache-2.0',
  'MIT-0',
  'MPL-2.0',
  'PSF-2.0',
  'Python-2.0',
]);

/** A sentence for each package whose licence is not allowed where the package is used. */
export function licenceProblems(packages: readonly LockedPackage[]): readonly string[] {
  return packages
    .filter(({ licence, isDev }) => !(isDev ? developmentLicences : deployedLicences).has(licence ?? ''))
    .map(({ name, version, licence, isDev }) => {
      const where = isDev ? 'development' : 'what is deployed';
      return `${name} ${version} has the licence ${licence ?? 'of no name'}, which is not allowed for ${where}.`;
    });
}

/** How many packages have each licence, the most frequent first. */
export function countLicences(
  packages: readonly LockedPackage[],
): readonly (readonly [licence: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { licence = 'none' } of packages) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  return [...counts].toSorted(([one, ofOne], [other, ofOther]) => ofOther - ofOne || one.localeCompare(other));
}
