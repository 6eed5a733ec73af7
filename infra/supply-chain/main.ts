/** `npm run supply-chain`: checks the lock file, licences and advisories, and writes the bill of materials. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { program } from 'commander';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { readAudit } from './audit.ts';
import { billedNames, billOfMaterials } from './bill-of-materials.ts';
import { bundledPackages } from './bundled-packages.ts';
import { countLicences, licenceProblems } from './licences.ts';
import { lockFileProblems, packagesOf, readLockFile } from './lock-file.ts';

/** The exit code when the registry did not answer: not a failure of the packages, and no proof either. */
const unansweredCode = 2;

program
  .name('npm run supply-chain --')
  .description('Checks the lock file, licences and known vulnerabilities, and writes a CycloneDX bill of materials.')
  .option('--offline', 'do not ask the registry for known vulnerabilities', false)
  .option('--output <file>', 'where to write the bill of materials', join(repositoryRoot, 'sbom.cdx.json'))
  .addHelpText('after', `\nExit codes: 0 passed, 1 a finding, ${unansweredCode} the registry did not answer.`)
  .parse();

const { offline, output } = z.object({ offline: z.boolean(), output: z.string() }).parse(program.opts());
const print = (text: string) => process.stdout.write(`${text}\n`);

function report(what: string, problems: readonly string[], passed: string): void {
  print(problems.length === 0 ? `${what}: ${passed}` : `${what}: ${problems.length} findings`);
  for (const problem of problems) print(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

const lock = readLockFile();
const packages = packagesOf(lock);
const deployed = packages.filter(({ isDev }) => !isDev);
report(
  'lock file',
  lockFileProblems(lock),
  `${packages.length} packages, each with a SHA-512 digest and none with an address`,
);

const listed = (counts: ReturnType<typeof countLicences>) =>
  counts.map(([licence, count]) => `${licence} ${count}`).join(', ');
report('licences', licenceProblems(packages), `deployed ${listed(countLicences(deployed))}`);

const bill = billOfMaterials(lock);
writeFileSync(output, `${JSON.stringify(bill, undefined, 2)}\n`);
const billed = new Set(billedNames(bill));
const missing = [...bundledPackages().keys()].filter((name) => !billed.has(name));
report(
  'bill of materials',
  missing.map((name) => `${name} is in a bundle and not in the bill: make it a dependency, not a devDependency.`),
  `${bill.components.length} components, CycloneDX ${bill.specVersion}, in ${relative(process.cwd(), output)}`,
);

if (offline) print('known vulnerabilities: not asked (--offline)');
else {
  // A shell, because npm is a command file on Windows.
  const { stdout } = spawnSync('npm audit --omit=dev --json', { cwd: repositoryRoot, encoding: 'utf8', shell: true });
  const audit = readAudit(stdout);
  if ('unanswered' in audit) {
    print(`known vulnerabilities: NOT KNOWN, the registry did not answer: ${audit.unanswered}`);
    process.exitCode ??= unansweredCode;
  } else report('known vulnerabilities', audit.names, `0 in the ${deployed.length} packages of what is deployed`);
}
