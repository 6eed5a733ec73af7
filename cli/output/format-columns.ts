import { getBorderCharacters, table } from 'table';
import type { Cell } from './output.ts';

/** A control character in a cell would move the cursor, or be refused by the table. */
const controlCharacters = /\p{Cc}+/gu;

/** Formats rows under a head in columns without borders: a cell can be copied as a whole. Numbers are on the right. */
export function formatColumns(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => textOf(cell)));
  const isNumeric = (column: number) => rows.every((row) => typeof row[column] === 'number');
  const text = table([head.map((title) => title.toUpperCase()), ...cells], {
    border: getBorderCharacters('void'),
    columnDefault: { paddingLeft: 0, paddingRight: 2 },
    columns: head.map((_, column) => ({ alignment: rows.length > 0 && isNumeric(column) ? 'right' : 'left' })),
    drawHorizontalLine: () => false,
  });
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

function textOf(cell: Cell): string {
  return cell === undefined || cell === '' ? '–' : String(cell).replace(controlCharacters, ' ');
}

/** Formats names and values in two columns. A value that is undefined is left out. */
export function formatFields(fields: readonly (readonly [string, Cell])[]): string {
  const shown = fields.filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`).join('\n');
}
