import type { bundledPackages } from '#infra/supply-chain/bundled-packages.ts';
import { countLicences, deployedLicences, developmentLicences } from '#infra/supply-chain/licences.ts';
import { type LockedPackage, packagesOf, readLockFile } from '#infra/supply-chain/lock-file.ts';
import { purposes } from '#infra/supply-chain/purposes.ts';
import { writeTable } from '#test/docs/write-table.ts';
import { generated } from './generated.ts';

/** docs/reference/dependencies.md. */
export function writeDependencies(
  directDevelopment: readonly string[],
  bundled: ReturnType<typeof bundledPackages>,
): string {
  const packages = packagesOf(readLockFile());
  const deployed = packages.filter(({ isDev }) => !isDev);
  const functions = new Set([...bundled.values()].flat()).size;
  const direct = directDevelopment
    .map((name) => packages.find((one) => one.path === `node_modules/${name}`))
    .filter((one) => one !== undefined);
  return `${generated}

# Dependencies

*For security reviewers who judge what is deployed, and for engineers who add a package.*

\`\`\`sh
npm run supply-chain                # asks the registry for known vulnerabilities too
npm run supply-chain -- --offline
\`\`\`

The command checks four things:

| Check | Finding |
|---|---|
| lock file | a package without a SHA-512 digest, with an address, or from a folder |
| licences | a licence that is not allowed where the package is used |
| bill of materials | a package in a bundle that the bill does not have. The command writes the bill to \`sbom.cdx.json\` (CycloneDX 1.6) |
| known vulnerabilities | a package of what is deployed with an advisory |

Exit code 1 means a finding. Exit code 2 means that the registry did not answer, so that known vulnerabilities are unknown: a mirror may
have no advisories. Ask the registry of npm, or give the bill of materials to a scanner of yours.

\`npm test\` checks the lock file and the licences. \`npm run verify\` runs the command with \`--offline\`.

## What is deployed

The bundles of the ${functions} functions hold code of ${bundled.size} packages. The bill of materials lists ${deployed.length}: the others belong to parts of the
SDK that the bundles leave out.

${writeTable(
  ['Package', 'Version', 'Licence', 'Functions', 'For'],
  deployed.map((one) => deployedRow(one, bundled.get(one.name), functions)),
)}

## What only development uses

${packages.length - deployed.length} packages, none of which is deployed. package.json names these:

${writeTable(
  ['Package', 'Version', 'Licence', 'For'],
  direct.map(({ name, version, licence = '' }) => [name, version, licence, purposes[name] ?? '']),
)}

## Licences

${writeTable(
  ['Licence', 'Deployed', 'Development'],
  countLicences(packages).map(([licence]) => [
    licence,
    String(deployed.filter((one) => one.licence === licence).length),
    String(packages.filter((one) => one.isDev && one.licence === licence).length),
  ]),
)}

Allowed for what is deployed: ${[...deployedLicences].join(', ')}. Development may also use ${[...developmentLicences]
    .filter((licence) => !deployedLicences.has(licence))
    .join(', ')}.
`;
}

function deployedRow(
  { name, version, licence = '' }: LockedPackage,
  holders: readonly string[] | undefined,
  functions: number,
): readonly string[] {
  const purpose = purposes[name] ?? 'another package needs it';
  return [name, version, licence, functionsOf(holders ?? [], functions), purpose];
}

function functionsOf(holders: readonly string[], functions: number): string {
  if (holders.length === 0) return 'none';
  return holders.length === functions ? 'all' : holders.join(', ');
}
