import { type ColumnUserConfig, getBorderCharacters, table } from 'table';
import { visibleLine } from '#sandbox/terminal/visible-text.ts';
import { wrapText } from './wrap-text.ts';

/** Between two columns. */
const gap = 2;

const indent = '  ';

/** A cell that is undefined has a dash. */
export type Cell = string | number | undefined;

/** In characters: the width of the terminal. Undefined if no terminal shows the text: a row is one line then. */
export type Width = number | undefined;

/**
 * Formats rows under a head in columns without borders: a cell can be copied as a whole. Numbers are on the right.
 *
 * Where the columns are wider than the terminal, cells wrap between words. Where even that is too wide, the first cell has a line of
 * its own, or each cell has.
 */
export function formatColumns(head: readonly string[], rows: readonly (readonly Cell[])[], width?: Width): string {
  const cells = [head.map((title) => title.toUpperCase()), ...rows.map((row) => row.map((cell) => textOf(cell)))];
  const isNumeric = (column: number) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number');
  const alignments = head.map((_, column) => (isNumeric(column) ? 'right' : 'left'));
  const widths = fitColumns(cells, width);
  if (widths !== undefined) return writeTable(cells, { widths, alignments });
  const withoutFirst = cells.map((row) => row.slice(1));
  const others = fitColumns(withoutFirst, width === undefined ? undefined : width - indent.length);
  if (others === undefined) return formatRecords(head, rows, width ?? Number.POSITIVE_INFINITY);
  const layout = { widths: others, alignments: alignments.slice(1) };
  return cells
    .map(([first = '', ...row]) => `${first}\n${writeTable([row], layout).replace(/^/gm, indent)}`)
    .join('\n');
}

type Layout = {
  readonly widths: readonly number[];
  readonly alignments: readonly NonNullable<ColumnUserConfig['alignment']>[];
};

function writeTable(cells: readonly (readonly string[])[], { widths, alignments }: Layout): string {
  const text = table(
    cells.map((row) => [...row]),
    {
      border: getBorderCharacters('void'),
      columnDefault: { paddingLeft: 0, paddingRight: gap, wrapWord: true },
      columns: widths.map((width, column) => ({ width, alignment: alignments[column] ?? 'left' })),
      drawHorizontalLine: () => false,
    },
  );
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

/** The widths of the columns. Undefined if the longest words do not fit beside one another. */
function fitColumns(cells: readonly (readonly string[])[], width: Width): readonly number[] | undefined {
  const columns = (cells[0] ?? []).map((_, column) => cells.map((row) => row[column] ?? ''));
  const widths = columns.map((texts) => Math.max(...texts.map(({ length }) => length)));
  const minima = columns.map((texts) =>
    Math.max(...texts.flatMap((text) => text.split(' ')).map((word) => word.length)),
  );
  const available = (width ?? Number.POSITIVE_INFINITY) - gap * (widths.length - 1);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  if (sum(minima) > available) return undefined;
  while (sum(widths) > available) {
    const shrinkable = widths.map((one, column) => (one > (minima[column] ?? 0) ? one : 0));
    const widest = shrinkable.indexOf(Math.max(...shrinkable));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** The first cell of a row, and the others below it with their titles. */
function formatRecords([, ...titles]: readonly string[], rows: readonly (readonly Cell[])[], width: number): string {
  const titleWidth = Math.max(...titles.map(({ length }) => length));
  const below = ' '.repeat(indent.length + titleWidth + gap);
  return rows
    .map(([first, ...others]) => {
      const fields = titles.map((title, index) =>
        wrapText(`${indent}${title.padEnd(titleWidth + gap)}${textOf(others[index])}`, { width, indent: below }),
      );
      return [textOf(first), ...fields].join('\n');
    })
    .join('\n');
}

function textOf(cell: Cell): string {
  // The table refuses control characters.
  return cell === undefined || cell === '' ? '–' : visibleLine(String(cell));
}

/**
 * Formats names and values in two columns. A value that is undefined is left out. On a terminal, a long value wraps beside its name, or
 * below it if a word has no room.
 */
export function formatFields(fields: readonly (readonly [string, Cell])[], width?: Width): string {
  const shown = fields.filter(([, value]) => value !== undefined);
  const nameWidth = Math.max(0, ...shown.map(([name]) => name.length)) + indent.length;
  return shown
    .map(([name, value]) => {
      const text = textOf(value);
      const line = `${name.padEnd(nameWidth)}${text}`;
      if (width === undefined || line.length <= width) return line;
      const longestWord = Math.max(...text.split(' ').map((word) => word.length));
      return nameWidth + longestWord <= width
        ? wrapText(line, { width, indent: ' '.repeat(nameWidth) })
        : `${name}\n${wrapText(`${indent}${text}`, { width, indent })}`;
    })
    .join('\n');
}
