/** `npm run build`, after `npm run docs`: the package in `dist/`, and in `release/` its tarball with a checksum. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { program } from 'commander';
import { buildPackage } from './build-package.ts';
import { packRelease } from './pack-release.ts';
import { repositoryRoot } from './read-json.ts';

program
  .name('npm run build')
  .description(
    'Builds the package into dist/, and packs it into release/: the tarball that npm installs, and SHA256SUMS.',
  )
  .parse();
const built = join(repositoryRoot, 'dist');
const release = join(repositoryRoot, 'release');
await buildPackage(built, join(repositoryRoot, 'docs/built'));
rmSync(release, { recursive: true, force: true });
process.stdout.write(`release/${packRelease(built, release).filename} and release/SHA256SUMS are written.\n`);
