/** `npm run build`, after `npm run docs`: the package `drawbridge` in `dist/`, ready for `npm pack ./dist` and `npm publish ./dist`. */
import { join } from 'node:path';
import { program } from 'commander';
import { buildPackage } from './build-package.ts';
import { repositoryRoot } from './read-json.ts';

program
  .name('npm run build')
  .description('Builds the package drawbridge into dist/. Then npm pack ./dist makes the file that npm installs.')
  .parse();
await buildPackage(join(repositoryRoot, 'dist'), join(repositoryRoot, 'docs/built'));
process.stdout.write('dist/ holds the package: npm pack ./dist\n');
