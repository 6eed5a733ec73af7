import { styleText } from 'node:util';
import { visibleJson, visibleText } from '#sandbox/terminal/visible-text.ts';
import { type Cell, formatColumns, type Width } from './format-columns.ts';

/** How a command prints its answer: a human form, or JSON with `--json`. */
export type Output = {
  readonly isJson: boolean;
  /** Prints one answer: the JSON object, or the text. */
  readonly answer: (value: object, text: FormatText, toneOf?: ToneOfLine) => void;
  /** Prints one item of a list or stream: a JSON object on a line of its own, or the text. */
  readonly item: (value: object, text: FormatText) => void;
  /** Prints an answer that changes: a JSON object on a line of its own, or the text, which replaces that before on a terminal. */
  readonly screen: (value: object, text: FormatText) => void;
  /** Prints a list: a JSON object a line, or a table. Without rows, `none`. */
  readonly list: <Item extends object>(items: readonly Item[], table: ListTable<Item>) => void;
  /** Prints progress or a hint for people, beside the answer. */
  readonly note: (text: string) => void;
};

/** What a colour says: `good` is green, `warn` yellow, `bad` red. */
export type LineTone = 'good' | 'warn' | 'bad';

export type Style = (tone: LineTone, text: string) => string;

/** The tone of a line, by how the line begins. Undefined for a line without colour. */
export type ToneOfLine = (line: string) => LineTone | undefined;

/** @param width of the terminal */
export type FormatText = (width: Width) => string;

export type ListTable<Item> = {
  readonly head: readonly string[];
  readonly row: (item: Item) => readonly Cell[];
  /** Another form for a terminal, if a row can take more than a line. */
  readonly onTerminal?: (items: readonly Item[], width: number) => string;
  /** Colours lines. */
  readonly toneOf?: ToneOfLine;
  /** What to say instead of an empty table. */
  readonly none: string;
};

export type OutputDeps = {
  readonly isJson: boolean;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Takes a text with control sequences, all of which are our own: `stdout` may show them as their codes. */
  readonly moveCursor?: ((text: string) => void) | undefined;
  /** The width of the terminal that shows what `stdout` gets; undefined if no terminal does. */
  readonly terminalWidth: () => Width;
  readonly style?: Style | undefined;
};

const colours = { good: 'green', warn: 'yellow', bad: 'red' } as const;

/** Colours texts for a stream. `styleText` obeys NO_COLOR and FORCE_COLOR, and without them colours only for a terminal. */
export function createStyle(stream: NodeJS.WritableStream): Style {
  return (tone, text) => styleText(colours[tone], text, { stream });
}

/** Moves the cursor to the first line, after it has cleared the terminal. */
const clear = '\u001b[2J\u001b[H';
const home = '\u001b[H';
const clearToEndOfLine = '\u001b[K';
const clearBelow = '\u001b[J';

export function createOutput({
  isJson,
  stdout,
  stderr,
  moveCursor = stdout,
  terminalWidth,
  style,
}: OutputDeps): Output {
  const printLine = (value: object) => stdout(`${visibleJson(JSON.stringify(value))}\n`);
  // The text is made visible before it is coloured: no text of others can colour a terminal.
  const print = (format: FormatText, toneOf?: ToneOfLine) => {
    const text = `${visibleText(format(terminalWidth()))}\n`;
    if (style === undefined || toneOf === undefined) return stdout(text);
    const paint = (line: string) => {
      const tone = toneOf(line);
      return tone === undefined ? line : style(tone, line);
    };
    moveCursor(text.split('\n').map(paint).join('\n'));
  };
  let hasScreen = false;
  return {
    isJson,
    answer: (value, text, toneOf) =>
      isJson ? stdout(`${visibleJson(JSON.stringify(value, undefined, 2))}\n`) : print(text, toneOf),
    item: (value, text) => (isJson ? printLine(value) : print(text)),
    screen: (value, text) => {
      const width = terminalWidth();
      if (isJson) printLine(value);
      else if (width === undefined) print(text);
      else {
        const lines = visibleText(text(width)).replaceAll('\n', `${clearToEndOfLine}\n`);
        moveCursor(`${hasScreen ? home : clear}${lines}${clearToEndOfLine}\n${clearBelow}`);
        hasScreen = true;
      }
    },
    list: (items, { head, row, onTerminal, toneOf, none }) => {
      if (isJson) return items.forEach(printLine);
      print((width) => {
        if (items.length === 0) return none;
        if (width !== undefined && onTerminal !== undefined) return onTerminal(items, width);
        return formatColumns(head, items.map(row), width);
      }, toneOf);
    },
    note: (text) => stderr(`${text}\n`),
  };
}
