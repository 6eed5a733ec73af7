import { entityRules } from '#shared/entities/entity-rules.ts';
import type { StatusTable } from '#shared/entities/status-table.ts';
import { transactionStatusOf } from '#shared/entities/transaction-status.ts';
import { type EntityKind, entityKinds } from '#shared/platform/event-place.ts';

/** `docs/states.md`: each status table as a diagram (Mermaid) and as tables, from the data that decide. */
export function writeStates(): string {
  const sections = entityKinds.map((kind) => writeKind(kind, entityRules[kind].statuses.table));
  return `${[preface, ...sections].join('\n\n')}\n`;
}

const preface = `# States

Written by \`test/shared/entities/states.test.ts\` from \`shared/entities\`: change that, not this. Sections are those of the
platform's specification. An entity can get from a status to another one in several steps, of which some may never be
notified; what no way leads to is an anomaly. Statuses are listed from the lowest to the highest: where there are no times
to tell which is the latest, the higher one is shown. A word that is not listed is above the open ones and below the final
ones.`;

function writeKind(kind: EntityKind, table: StatusTable): string {
  return [
    `## ${table.title} (section ${table.section})`,
    drawDiagram(table),
    writeTable(
      ['Status', 'Meaning', 'Final', ...(hasTransactions(kind, table) ? ['Transaction status (3.5)'] : [])],
      table.statuses.map(({ status, meaning, final }) => [
        status,
        meaning,
        final ? 'yes' : '',
        ...(hasTransactions(kind, table) ? [transactionStatusOf(kind, status) ?? ''] : []),
      ]),
    ),
    writeTable(
      ['From', 'To', 'Source'],
      table.transitions.map(({ from, to, source }) => [from, to, source]),
    ),
  ].join('\n\n');
}

function hasTransactions(kind: EntityKind, { statuses }: StatusTable): boolean {
  return statuses.some(({ status }) => transactionStatusOf(kind, status) !== undefined);
}

function drawDiagram({ statuses, transitions }: StatusTable): string {
  const arrows = transitions.map(({ from, to }) => `  ${from === '(none)' ? '[*]' : from} --> ${to}`);
  const ends = statuses.filter(({ final }) => final).map(({ status }) => `  ${status} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', ...arrows, ...ends, '```'].join('\n');
}

function writeTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
