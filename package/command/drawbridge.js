#!/usr/bin/env node
// The file that npm links as `drawbridge`. Node 20 and older can read it, and cannot run the rest.
import { readFileSync } from 'node:fs';
import module from 'node:module';

const [major = ''] = process.versions.node.split('.');
if (Number(major) < 22) {
  process.stderr.write(
    `This is Node ${process.version}, and drawbridge needs Node 22 or newer. Run npm install --save-dev node@24: npx --no -- drawbridge then uses it.\n`,
  );
  process.exitCode = 2;
} else if (process.argv.length === 3 && ['-V', '--version'].includes(process.argv[2])) {
  // The version loads nothing else.
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${version}\n`);
} else {
  // From the second run on, nothing is compiled again. Node before 22.1 has no such cache.
  module.enableCompileCache?.();
  await import('./main.js');
}
