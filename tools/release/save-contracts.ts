/** Keeps the templates, the API and the events of the version of the code: later versions are compared with them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '#shared/version.ts';
import { breakingChanges } from './breaking-changes.ts';
import { currentApi, readReleasedApis, saveEventContract, writeReleasedApi } from './release-contracts.ts';
import { currentTemplates, hasRelease, readEarlierReleases, writeRelease } from './release-templates.ts';
import { upgradeProblems } from './upgrade-problems.ts';

const outputDirectory = mkdtempSync(join(tmpdir(), 'drawbridge-release-'));
try {
  const templates = currentTemplates(outputDirectory);
  const release = { version, templates };
  const document = currentApi();
  const changes = readReleasedApis()
    .filter((earlier) => earlier.version !== version)
    .flatMap((earlier) => breakingChanges(earlier.document, document));
  const problems = [...upgradeProblems(readEarlierReleases(version), release), ...changes];
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\nThe release was not saved: an upgrade would not be safe.\n`);
    process.exitCode = 1;
  } else {
    const verb = hasRelease(version) ? 'Replaced' : 'Saved';
    writeRelease(release);
    writeReleasedApi({ version, document });
    saveEventContract(version);
    process.stdout.write(
      `${verb} the templates and the API of ${version} in tools/release/kept/${version}. Commit them with the release.\n`,
    );
  }
} finally {
  rmSync(outputDirectory, { recursive: true, force: true });
}
