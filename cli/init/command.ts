import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { packageFolder } from '#cli/init/package-folder.ts';
import { commandAbout } from '#sandbox/terminal/quote.ts';
import { provideDrawbridge, writeRepository } from './write-repository.ts';

export type InitCommandDeps = Pick<CommandDeps, 'stdout' | 'platform'>;

/** npm and CloudFormation take such names. */
const nameForm = /^[a-z][a-z0-9-]{0,39}$/;

/** Adds `init`: writes a partner's own repository. */
export function addInitCommand(program: Command, { stdout, platform }: InitCommandDeps): void {
  const command = program
    .command('init')
    .argument('<folder>', 'the folder to write; its name becomes the name of the repository')
    .description(
      'Writes a repository of your own: a CDK app with Drawbridge and two first functions, tests, settings and CI.',
    )
    .action((folder: string) => {
      if (platform === 'win32')
        throw new CommandError(
          'Drawbridge runs on Linux and macOS. Windows needs WSL (Windows Subsystem for Linux).',
          'wsl --install, and run the command again in its terminal.',
        );
      if (packageFolder === undefined)
        throw new CommandError(
          'init copies a part of the npm package, and these are the sources of Drawbridge.',
          'npm run build, and install the tarball of release/ in a folder of yours: npx --no -- drawbridge init is there.',
        );
      const target = resolve(folder);
      const name = requireName(basename(target));
      requireEmpty(target, folder);
      const drawbridge = provideDrawbridge(packageFolder, target);
      writeRepository(join(packageFolder, 'cli/template'), target, { name, drawbridge });
      stdout(nextCommands(folder));
    });
  documentCommand(command, {
    examples: ['npx --no -- drawbridge init my-bank'],
    json: 'nothing: the command prints the next commands as text',
    writes: 'a new folder on this machine',
  });
}

function requireName(name: string): string {
  if (nameForm.test(name)) return name;
  throw new CommandError(
    `${name} cannot be the name of a repository: use lower-case letters, digits and hyphens, 40 at most.`,
    'npx --no -- drawbridge init my-bank',
  );
}

function requireEmpty(target: string, folder: string): void {
  if (!existsSync(target) || readdirSync(target).length === 0) return;
  throw new CommandError(
    `${folder} is not empty, and init overwrites nothing.`,
    'npx --no -- drawbridge init with a new folder.',
  );
}

function nextCommands(folder: string): string {
  return [
    `${folder} has a CDK app with Drawbridge, two first functions with tests, settings and CI. Next:`,
    '',
    `  ${commandAbout('cd', folder)}`,
    '  npm install',
    '  npm test',
    '  npm run synth -- --context environment=laptop',
    '  npm start',
    '',
    'README.md says what each file is for, and how to deploy.',
    '',
  ].join('\n');
}
