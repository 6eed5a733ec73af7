/** A word of a command, as a shell takes it: in quotes if a character of it means something to the shell. */
export function quote(word: string): string {
  return /^[\w:/.=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * A command about an id, with its options. An id that begins with a dash comes last, after `--`: otherwise the command takes the
 * id for an option.
 */
export function commandAbout(command: string, id: string, options = ''): string {
  const words = id.startsWith('-') ? [command, options, '--', quote(id)] : [command, quote(id), options];
  return words.filter((word) => word !== '').join(' ');
}
