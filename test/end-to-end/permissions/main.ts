/**
 * `node test/end-to-end/permissions/main.ts`: whether the functions need what their policies allow, by the last run of the end-to-end tests. Exit
 * code 1 where they do not.
 */
import { formatTable } from '#sandbox/terminal/table.ts';
import { comparePermissions } from './compare.ts';
import { readTestBlueprint } from './record-uses.ts';
import { hostingTestFiles, readRecording } from './recordings.ts';

const { assembly, uses } = readRecording();
const comparisons = comparePermissions(readTestBlueprint(assembly), uses);
const rows = comparisons.map(({ functionName, allowed, used, unused, missing }) => [
  functionName,
  allowed.length,
  used.length,
  unused.length,
  missing.length,
]);
process.stdout.write(`${formatTable(['function', 'allowed', 'used', 'unused', 'missing'], rows)}\n\n`);
for (const { functionName, unused, missing } of comparisons) {
  for (const permission of unused) process.stdout.write(`${functionName} does not need ${permission}\n`);
  for (const permission of missing) process.stdout.write(`${functionName} is not allowed ${permission}\n`);
}
const files = new Set(uses.map(({ testFile }) => testFile));
const notRun = hostingTestFiles().filter((file) => !files.has(file));
process.stdout.write(
  `By the calls of ${files.size} test files. ${notRun.length === 0 ? '' : `Not run: ${notRun.join(', ')}.`}\n`,
);
if (comparisons.some(({ unused, missing }) => unused.length + missing.length > 0)) process.exitCode = 1;
