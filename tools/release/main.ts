/** Keeps what later versions are compared with: the templates, the API and the events, and what the functions stored in the last `npm test`. */
import { version } from '#shared/version.ts';
import { readRecordedData } from '#test/upgrades/recorded-data.ts';
import { writeReleaseData } from '#test/upgrades/release-data.ts';
import { storedReaders } from '#test/upgrades/stored-readers.ts';

await import('./save-contracts.ts');
if (process.exitCode === undefined) await saveStoredData();

/** Keeps what the functions stored, and how they read it. */
async function saveStoredData(): Promise<void> {
  const recorded = readRecordedData();
  const missing = Object.keys(storedReaders).filter((kind) => recorded.every((datum) => datum.kind !== kind));
  if (missing.length > 0) {
    process.stderr.write(
      `No test has stored this yet: ${missing.join(', ')}. Run npm test, then node tools/release/main.ts again.\n`,
    );
    process.exitCode = 1;
    return;
  }
  await writeReleaseData(version, recorded);
  process.stdout.write(`Saved ${recorded.length} rows, messages and secrets in tools/release/kept/${version}.\n`);
}
