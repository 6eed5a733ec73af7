import { quote } from '#sandbox/terminal/quote.ts';

/** What a user types in a folder in which the package is installed. */
export const installedCommand = 'npx --no -- drawbridge';

const commandsOfNpm: ReadonlySet<string> = new Set(['exec', 'run', 'run-script', 'start']);

/** What a user types to run this program: npm says whether it started the process. Undefined if the user typed `drawbridge`. */
export function commandNameOf({
  npm_command: command = '',
}: Readonly<Record<string, string | undefined>>): string | undefined {
  return commandsOfNpm.has(command) ? installedCommand : undefined;
}

export type TypedCommand = {
  /** What the user types to run this program. */
  readonly name: string;
  /** The options that name the deployment, such as `--env`, with their values. */
  readonly options: Readonly<Record<string, string>>;
};

/** Writes each command that a text for people names as its user has to type it, so that the user can copy the command. */
export function nameCommands(text: string, { name, options }: TypedCommand, commands: readonly string[]): string {
  // A text that already says npx --no -- drawbridge stays. The group is the rest of the line, up to the next command.
  const named = new RegExp(
    `(?<![\\w/@.-]|-- )drawbridge (?=(?:${commands.join('|')}|--help)(?![\\w-])((?:(?!drawbridge )[^\\n])*))`,
    'g',
  );
  return text.replaceAll(named, (_, rest: string) => {
    const missing = Object.entries(options).filter(([option]) => !rest.includes(option));
    return [name, ...missing.map(([option, value]) => `${option} ${quote(value)}`), ''].join(' ');
  });
}
