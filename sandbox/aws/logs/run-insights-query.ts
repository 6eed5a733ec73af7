import { parseJson } from '#shared/parse-json.ts';
import { valueAt } from '#shared/plain-message.ts';
import type { Aggregate, Command, Condition, GroupKey, Value } from './insights-query.ts';
import type { LogLine } from './log-store.ts';

/** A row of a result: its values by the names of their columns. */
export type ResultRow = Readonly<Record<string, string>>;

type Row = (field: string) => Value;

export type RunInsightsProps = {
  readonly commands: readonly Command[];
  readonly lines: readonly LogLine[];
  /** The account, which `@log` begins with. */
  readonly account: string;
  /** The most rows, unless the query has a limit. */
  readonly limit: number;
};

export type InsightsResult = {
  readonly rows: readonly ResultRow[];
  /** Lines that passed the filters. */
  readonly matched: number;
};

/** Runs the commands of a query over lines, in the order of the query, as CloudWatch Logs Insights does. */
export function runInsightsQuery({ commands, lines, account, limit }: RunInsightsProps): InsightsResult {
  let rows = lines.toSorted((one, other) => other.at - one.at).map((line) => rowOf(line, account));
  let matched = rows.length;
  let columns: readonly string[] = ['@timestamp', '@message'];
  let most = limit;
  for (const command of commands) {
    switch (command.command) {
      case 'fields':
        columns = command.fields;
        break;
      case 'filter':
        rows = rows.filter((row) => holds(command.condition, row));
        matched = rows.length;
        break;
      case 'stats':
        columns = [...command.by, ...command.aggregates].map(({ name }) => name);
        rows = group(rows, command.by).map((members) => summarize(members, command.aggregates, command.by));
        break;
      case 'sort': {
        const direction = command.isDescending ? -1 : 1;
        rows = rows.toSorted((one, other) => direction * compare(one(command.field), other(command.field)));
        break;
      }
      case 'limit':
        most = command.limit;
        break;
    }
  }
  const shown = rows.slice(0, most).map((row) =>
    Object.fromEntries(
      columns.flatMap((column) => {
        const value = row(column);
        return value === undefined
          ? []
          : [[column, isTime(column, value, commands) ? timestamp(value) : String(value)]];
      }),
    ),
  );
  return { rows: shown, matched };
}

/** Fields in capitals of CloudWatch, and those of the JSON by their paths. */
function rowOf({ group: logGroup, at, text }: LogLine, account: string): Row {
  const content = parseJson(text);
  return (field) => {
    switch (field) {
      case '@timestamp':
        return at;
      case '@message':
        return text;
      case '@log':
        return `${account}:${logGroup}`;
      default:
        return simpleValueAt(content, field);
    }
  };
}

/** CloudWatch makes a field of each member of an object and of each item of a list, and none of the whole. */
function simpleValueAt(content: unknown, path: string): Value {
  const value = valueAt(content, path.split('.'));
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

function holds(condition: Condition, row: Row): boolean {
  switch (condition.is) {
    case 'any':
      return condition.of.some((one) => holds(one, row));
    case 'all':
      return condition.of.every((one) => holds(one, row));
    case 'equal':
      return isEqual(row(condition.field), condition.value);
    case 'one of':
      return condition.values.some((value) => isEqual(row(condition.field), value));
    case 'like': {
      const value = row(condition.field);
      return value !== undefined && condition.pattern.test(String(value));
    }
  }
}

function isEqual(value: Value, wanted: string | number): boolean {
  return value !== undefined && String(value) === String(wanted);
}

function keyOf(row: Row, { name, binMs }: GroupKey): Value {
  return binMs === undefined ? row(name) : Math.floor(Number(row('@timestamp')) / binMs) * binMs;
}

function group(rows: readonly Row[], by: readonly GroupKey[]): readonly (readonly Row[])[] {
  return [...Map.groupBy(rows, (row) => JSON.stringify(by.map((key) => keyOf(row, key) ?? null))).values()];
}

function summarize(members: readonly Row[], aggregates: readonly Aggregate[], by: readonly GroupKey[]): Row {
  const [first] = members;
  const values = new Map<string, Value>([
    ...by.map((key) => [key.name, first && keyOf(first, key)] as const),
    ...aggregates.map((aggregate) => [aggregate.name, aggregateOf(members, aggregate)] as const),
  ]);
  return (field) => values.get(field);
}

function aggregateOf(members: readonly Row[], aggregate: Aggregate): Value {
  if (aggregate.of === 'count') return members.length;
  const last = aggregate.of === 'pct' ? aggregate.percent : 100;
  const numbers = members
    .map((row) => row(aggregate.field))
    .filter((value) => value !== undefined)
    .map(Number)
    .filter((number) => !Number.isNaN(number))
    .toSorted((one, other) => one - other);
  if (numbers.length === 0) return undefined;
  if (aggregate.of === 'sum') return numbers.reduce((one, other) => one + other, 0);
  return numbers[Math.max(0, Math.ceil((last / 100) * numbers.length) - 1)];
}

function compare(one: Value, other: Value): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one ?? '').localeCompare(String(other ?? ''));
}

/** Whether a column has times: the time of a line, a period, or the latest time of a group. */
function isTime(column: string, value: Value, commands: readonly Command[]): value is number {
  if (typeof value !== 'number') return false;
  if (column === '@timestamp' || column.startsWith('bin(')) return true;
  return commands.some(
    (command) =>
      command.command === 'stats' &&
      command.aggregates.some((one) => one.name === column && one.of === 'max' && one.field === '@timestamp'),
  );
}

/** As CloudWatch writes times: `2026-01-02 03:04:05.678`. */
function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '');
}
