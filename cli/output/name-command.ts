/**
 * What a user types to run this program. npm knows which of its commands started the process. Undefined if the user typed
 * `drawbridge`.
 */
export function commandNameOf({
  npm_lifecycle_event: event,
  npm_command: command,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (event === 'npx' || command === 'exec') return 'npx --no -- drawbridge';
  return command === 'run' || command === 'run-script' || command === 'start' ? 'npm run drawbridge --' : undefined;
}

/** Puts the name that a user types into each command that a text for people names, so that the user can copy the command. */
export function nameCommands(text: string, name: string, commands: readonly string[]): string {
  // A text that already says npx --no -- drawbridge or npm run drawbridge -- stays.
  const named = new RegExp(`(?<![\\w/@.-]|-- )drawbridge (?=(?:${commands.join('|')}|--help)(?![\\w-]))`, 'g');
  return text.replaceAll(named, `${name} `);
}
