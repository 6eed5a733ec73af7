/** A word of a command, as a shell takes it: in quotes where a character of it means something to the shell. */
export function quote(word: string): string {
  return /^[\w:/.=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
