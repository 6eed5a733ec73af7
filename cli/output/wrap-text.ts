export type WrapOptions = {
  readonly width: number;
  /** Put in front of each line but the first. */
  readonly indent?: string;
};

/** Breaks a text between words, so that no line is wider. A word stays whole. */
export function wrapText(text: string, { width, indent = '' }: WrapOptions): string {
  const [first = '', ...words] = text.split(' ');
  const lines: string[] = [];
  let line = first;
  for (const word of words) {
    const longer = `${line} ${word}`;
    if (longer.length <= width) line = longer;
    else {
      lines.push(line);
      line = `${indent}${word}`;
    }
  }
  return [...lines, line].join('\n');
}
