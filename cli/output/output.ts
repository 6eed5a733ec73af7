import { formatColumns } from './format-columns.ts';

/** How a command prints its answer: a human form, or JSON with `--json`. */
export type Output = {
  readonly isJson: boolean;
  /** Prints one answer: the JSON object, or the text. */
  readonly answer: (value: object, text: () => string) => void;
  /** Prints one item of a list or stream: a JSON object on a line of its own, or the text. */
  readonly item: (value: object, text: () => string) => void;
  /** Prints a list: a JSON object a line, or a table. Without rows, `none`. */
  readonly list: <Item extends object>(items: readonly Item[], table: ListTable<Item>) => void;
  /** Prints progress or a hint for people, beside the answer. */
  readonly note: (text: string) => void;
};

export type ListTable<Item> = {
  readonly head: readonly string[];
  readonly row: (item: Item) => readonly Cell[];
  /** What to say instead of an empty table. */
  readonly none: string;
};

/** A cell that is undefined has a dash. */
export type Cell = string | number | undefined;

export type OutputDeps = {
  readonly isJson: boolean;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
};

export function createOutput({ isJson, stdout, stderr }: OutputDeps): Output {
  const printLine = (value: object) => stdout(`${JSON.stringify(value)}\n`);
  return {
    isJson,
    answer: (value, text) => (isJson ? stdout(`${JSON.stringify(value, undefined, 2)}\n`) : stdout(`${text()}\n`)),
    item: (value, text) => (isJson ? printLine(value) : stdout(`${text()}\n`)),
    list: (items, { head, row, none }) => {
      if (isJson) items.forEach(printLine);
      else stdout(`${items.length === 0 ? none : formatColumns(head, items.map(row))}\n`);
    },
    note: (text) => stderr(`${text}\n`),
  };
}
