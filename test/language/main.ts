/** `npm run language -- [path …]`: what the rules of the language find, in every file or below the paths, and their number. */
import { checkedPaths, checkFile } from './check-language.ts';

const below = process.argv.slice(2);
const paths = checkedPaths().filter((path) => below.length === 0 || below.some((start) => path.startsWith(start)));
const findings = paths.flatMap(checkFile);
for (const { path, line, found, instead } of findings)
  process.stdout.write(`${path}:${line}: "${found}": write ${instead}\n`);
process.stdout.write(`${findings.length} findings in ${paths.length} files\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
