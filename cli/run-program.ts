import { type Command, CommanderError } from 'commander';
import { SettingsError } from '#infra/settings-file/settings-error.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { visibleText } from '#sandbox/terminal/visible-text.ts';
import { deploymentOptions } from './command/command-context.ts';
import type { CommandDeps } from './command/command-deps.ts';
import { CliError } from './command/command-error.ts';
import { exitCodes } from './command/exit-codes.ts';
import { explainAwsError } from './deployment/explain-aws-error.ts';
import { loadProgram } from './load-program.ts';
import { nameCommands, type TypedCommand } from './output/name-command.ts';

/** Runs one command line. An error ends with exit code 2; that of a command says what to try next. */
export async function runProgram(commandLine: readonly string[], given: CommandDeps): Promise<void> {
  let program: Command | undefined;
  const named = withTypedCommands(commandLine, given, () => (program === undefined ? {} : deploymentOptions(program)));
  const deps = {
    ...named,
    // Here, not in each command: any text can hold the words of a file, of the platform or of AWS.
    stdout: (text: string) => named.stdout(visibleText(text)),
    stderr: (text: string) => named.stderr(visibleText(text)),
    moveCursor: named.stdout,
  };
  try {
    program = await loadProgram(commandLine, deps);
    await program.parseAsync([...commandLine], { from: 'user' });
  } catch (error) {
    // Commander has printed the help or the mistake.
    if (error instanceof CommanderError) return deps.exit(error.exitCode === 0 ? exitCodes.good : exitCodes.failed);
    deps.stderr(`${describe(error)}\n`);
    deps.exit(exitCodes.failed);
  }
}

/**
 * What a script reads stays as it is: JSON, and the script of `completion`.
 *
 * @param options of the command line, as far as it is parsed
 */
function withTypedCommands(
  commandLine: readonly string[],
  deps: CommandDeps,
  options: () => TypedCommand['options'],
): CommandDeps {
  const { commandName: name = 'drawbridge', stdout, stderr } = deps;
  const typed = (text: string) => nameCommands(text, { name, options: options() });
  const isForScripts = commandLine.includes('--json') || commandLine.includes('completion');
  return {
    ...deps,
    stdout: isForScripts ? stdout : (text) => stdout(typed(text)),
    stderr: (text) => stderr(typed(text)),
  };
}

/** An error of a command, of the laptop, of a settings file or of AWS is for its user. Any other is a defect, whose stack helps. */
function describe(error: unknown): string {
  if (error instanceof CliError || error instanceof SandboxError || error instanceof SettingsError)
    return error.message;
  const explained = explainAwsError(error);
  if (explained !== undefined) return explained.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
