import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { type Confirm, createConfirm } from '#cli/confirm/confirm.ts';
import { connect } from '#cli/deployment/connect.ts';
import { type Deployment, isLaptop } from '#cli/deployment/deployment.ts';
import { createOutput, type Output } from '#cli/output/output.ts';
import type { CommandDeps } from './command-deps.ts';

/** What each command gets, made from the global options. */
export type CommandContext = {
  readonly output: Output;
  /** Finds the deployment that `--env` names. @throws {CommandError} */
  readonly connect: () => Promise<Deployment>;
  /** Asks before a write, unless the write is to the laptop or `--yes` is given. @throws {CommandError} */
  readonly confirm: Confirm;
};

const globalOptions = z.object({
  env: z.string(),
  directory: z.string(),
  region: z.string().optional(),
  json: z.boolean(),
  yes: z.boolean(),
});

/** The options that every command takes. */
export function addGlobalOptions(
  program: Command,
  { defaultDirectory, stderr }: Pick<CommandDeps, 'defaultDirectory' | 'stderr'>,
): void {
  program
    .option(
      '--env <name>',
      'the environment: local is what npm start runs, any other is deployed',
      environmentName,
      'local',
    )
    .option('--region <name>', 'the AWS region of the environment (default: that of the AWS configuration)')
    .option('--directory <path>', 'where npm start has its working files and its log', defaultDirectory)
    .option('--json', 'print JSON: one object, or one a line for a stream', false)
    .option('--yes', 'do not ask before a write', false)
    // Scripts of 0.2.0 took this name. 0.4.0 does not.
    .addOption(new Option('--environment <name>').argParser(environmentName).hideHelp())
    .on('option:environment', (name: string) => {
      stderr('--environment is --env from 0.4.0 on.\n');
      program.setOptionValue('env', name);
    });
}

/** @throws {InvalidArgumentError} */
function environmentName(text: string): string {
  if (/^[a-z][a-z0-9-]*$/.test(text)) return text;
  throw new InvalidArgumentError('An environment is lower-case letters, digits and hyphens.');
}

/** The options that name the deployment, with their values, as a command that the user copies needs them. None for the usual laptop. */
export function deploymentOptions(program: Command): Readonly<Record<string, string>> {
  const { env, region, directory } = globalOptions.parse(program.opts());
  const isElsewhere = isLaptop(env) && program.getOptionValueSource('directory') === 'cli';
  return {
    ...(!isLaptop(env) && { '--env': env }),
    ...(region !== undefined && { '--region': region }),
    ...(isElsewhere && { '--directory': directory }),
  };
}

/** @param command the command that runs: its parents hold the global options */
export function createContext(command: Command, deps: CommandDeps): CommandContext {
  const options = globalOptions.parse(command.optsWithGlobals());
  const output = createOutput({ ...deps, isJson: options.json });
  return {
    output,
    connect: () => connect(options, deps),
    confirm: createConfirm({
      ...deps,
      isAsked: !options.yes && !isLaptop(options.env),
      place: `environment ${options.env}`,
    }),
  };
}
