import type { EffectiveSetting } from './list-settings.ts';

/** In characters. `--json` has the whole of a longer value. */
const maxValueLength = 36;

/** A table of the settings, to read on a terminal. */
export function formatSettings(settings: readonly EffectiveSetting[]): string {
  const rows = settings.map((setting) => [
    setting.key,
    shorten(setting.value),
    setting.unit ?? '',
    shorten(setting.default),
    setting.source,
  ]);
  const table = [['setting', 'value', 'unit', 'default', 'source'], ...rows];
  const widths = table.reduce<readonly number[]>(
    (sofar, row) => row.map((cell, column) => Math.max(cell.length, sofar[column] ?? 0)),
    [],
  );
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function shorten(value: unknown): string {
  if (value === undefined) return '–';
  const text = JSON.stringify(value);
  return text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength - 1)}…`;
}
