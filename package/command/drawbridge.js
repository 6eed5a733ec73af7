#!/usr/bin/env node
// The file that npm links as `drawbridge`. Node 20 and older can read it, and cannot run the rest.
const [major = ''] = process.versions.node.split('.');
if (Number(major) < 22) {
  process.stderr.write(
    `This is Node ${process.version}, and drawbridge needs Node 22 or newer. Run npm install --save-dev node@24: npx --no -- drawbridge then uses it.\n`,
  );
  process.exitCode = 2;
} else {
  await import('./main.js');
}
