/** What a user types in a folder in which the package is installed. */
export const installedCommand = 'npx --no -- drawbridge';

const commandsOfNpm: ReadonlySet<string> = new Set(['exec', 'run', 'run-script', 'start']);

/** What a user types to run this program: npm says whether it started the process. Undefined if the user typed `drawbridge`. */
export function commandNameOf({
  npm_command: command = '',
}: Readonly<Record<string, string | undefined>>): string | undefined {
  return commandsOfNpm.has(command) ? installedCommand : undefined;
}

/** Puts the name that a user types into each command that a text for people names, so that the user can copy the command. */
export function nameCommands(text: string, name: string, commands: readonly string[]): string {
  // A text that already says npx --no -- drawbridge stays.
  const named = new RegExp(`(?<![\\w/@.-]|-- )drawbridge (?=(?:${commands.join('|')}|--help)(?![\\w-]))`, 'g');
  return text.replaceAll(named, `${name} `);
}
