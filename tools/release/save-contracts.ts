/** Keeps the templates, the API and the events of the version of the code: later versions are compared with them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '#shared/version.ts';
import { contractProblems, readCurrent, saveContracts } from './release-contracts.ts';
import { currentTemplates, hasRelease, readEarlierReleases, writeRelease } from './release-templates.ts';
import { upgradeProblems } from './upgrade-problems.ts';

const outputDirectory = mkdtempSync(join(tmpdir(), 'drawbridge-release-'));
try {
  const templates = currentTemplates(outputDirectory);
  const release = { version, templates };
  const changes = contractProblems(version, readCurrent);
  const problems = [...upgradeProblems(readEarlierReleases(version), release), ...changes];
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\nThe release was not saved: an upgrade would not be safe.\n`);
    process.exitCode = 1;
  } else {
    const verb = hasRelease(version) ? 'Replaced' : 'Saved';
    writeRelease(release);
    saveContracts(version);
    process.stdout.write(
      `${verb} the templates, the API and the events of ${version} in tools/release/kept/${version}. Commit them with the release.\n`,
    );
  }
} finally {
  rmSync(outputDirectory, { recursive: true, force: true });
}
