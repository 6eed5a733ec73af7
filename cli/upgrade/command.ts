import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { packageFolder, repositoryFolder } from '#cli/init/package-folder.ts';
import { version as installed } from '#shared/version.ts';
import { formatUpgrade } from './format-upgrade.ts';
import { planUpgrade } from './plan-upgrade.ts';

/** Adds `upgrade --check`: what the way from the deployed release to this one asks for. */
export function addUpgradeCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('upgrade')
    .description(
      'Compares the deployed release with the installed one, and says what an upgrade changes. Deploys nothing.',
    )
    .requiredOption('--check', 'only compare')
    .action(async () => {
      const { output, connect } = createContext(command, deps);
      const { outputs, environment } = await connect();
      const deployed = outputs.get('Version');
      if (deployed === undefined)
        throw new CommandError('The service stack has no output Version.', 'npx cdk deploy --all');
      const changelog = readFileSync(join(packageFolder ?? repositoryFolder ?? '', 'CHANGELOG.md'), 'utf8');
      const plan = planUpgrade({ deployed, installed, changelog });
      output.answer({ environment, ...plan }, () => formatUpgrade(plan, environment));
      if (plan.skippedMinors.length > 0 || plan.direction === 'unsupported') deps.exit(exitCodes.failed);
    });
  documentCommand(command, {
    failed: 'another minor release must be deployed first, or no upgrade from the deployed release is supported',
    examples: ['drawbridge upgrade --check --env production'],
    json: '`environment`, `deployed`, `installed`, `direction` (`none`, `upgrade`, `rollback`, or `unsupported` from before the first release), `skippedMinors`, `before` (what to do first), `changes` and `removed`',
  });
}
