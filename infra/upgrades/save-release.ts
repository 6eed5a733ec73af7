/** `npm run release` keeps the templates of the version of the code, so that later upgrades are compared with them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '#shared/version.ts';
import { currentTemplates, hasRelease, readEarlierReleases, writeRelease } from './release-templates.ts';
import { upgradeProblems } from './upgrade-problems.ts';

const outputDirectory = mkdtempSync(join(tmpdir(), 'drawbridge-release-'));
try {
  const templates = currentTemplates(outputDirectory);
  const release = { version, templates };
  const problems = upgradeProblems(readEarlierReleases(version), release);
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\nThe templates were not saved: an upgrade would not be safe.\n`);
    process.exitCode = 1;
  } else {
    const verb = hasRelease(version) ? 'Replaced' : 'Saved';
    writeRelease(release);
    process.stdout.write(
      `${verb} the templates of ${version} in infra/releases/${version}. Commit them with the release.\n`,
    );
  }
} finally {
  rmSync(outputDirectory, { recursive: true, force: true });
}
