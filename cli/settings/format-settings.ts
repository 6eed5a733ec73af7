import type { EffectiveSetting } from './list-settings.ts';

/** In characters. A longer value takes more lines. */
const maxValueWidth = 48;

/** In characters. The default is shortened, since a value that is the default is beside it as a whole. */
const maxDefaultWidth = 24;

/** The settings as a table. Where the terminal is too narrow for the table, each setting has lines of its own. @param width in characters */
export function formatSettings(settings: readonly EffectiveSetting[], width = Number.POSITIVE_INFINITY): string {
  const table = formatTable(settings);
  const isTooWide = table.split('\n').some(({ length }) => length > width);
  return isTooWide ? settings.map(formatSetting).join('\n') : table;
}

function formatSetting({ key, value, unit, default: usual, source }: EffectiveSetting): string {
  const amount = unit === undefined ? [] : [unit];
  const origin = source === 'default' ? ['the default'] : [`default ${shorten(textOf(usual))}`, source];
  return [key, ...wrap(textOf(value)), [...amount, ...origin].join(', ')]
    .map((line, index) => (index === 0 ? line : `  ${line}`))
    .join('\n');
}

function formatTable(settings: readonly EffectiveSetting[]): string {
  const rows = settings.flatMap((setting) => {
    const [first = '', ...more] = wrap(textOf(setting.value));
    const row = [setting.key, first, setting.unit ?? '', shorten(textOf(setting.default)), setting.source];
    return [row, ...more.map((line) => ['', line])];
  });
  const table = [['setting', 'value', 'unit', 'default', 'source'], ...rows];
  const widths = table.reduce<readonly number[]>(
    (sofar, row) =>
      Array.from({ length: Math.max(row.length, sofar.length) }, (_, column) =>
        Math.max(row[column]?.length ?? 0, sofar[column] ?? 0),
      ),
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

const textOf = (value: unknown) => (value === undefined ? '–' : JSON.stringify(value));

/** Breaks a text behind commas, and between words if one part is too long. */
function wrap(text: string): readonly string[] {
  const parts = text.match(new RegExp(`[^,]{1,${maxValueWidth - 1}},?|,`, 'g')) ?? [];
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length <= maxValueWidth) lines.splice(-1, 1, last + part);
    else lines.push(part);
  }
  return lines;
}

const shorten = (text: string) => (text.length <= maxDefaultWidth ? text : `${text.slice(0, maxDefaultWidth - 1)}…`);
