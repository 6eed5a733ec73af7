/** What the palette offers. */
export type PaletteCommand = {
  readonly title: string;
  /** What kind of command it is, or its key. */
  readonly hint: string;
  readonly run: () => void;
};

/** The commands that have each word of a text, in their order: first those whose title begins with it. */
export function findCommands<Command extends Pick<PaletteCommand, 'title'>>(
  commands: readonly Command[],
  text: string,
): readonly Command[] {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const found = commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const begins = ({ title }: Command) => title.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((command) => !begins(command))];
}
