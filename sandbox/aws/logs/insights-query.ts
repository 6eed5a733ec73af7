import { AwsServiceError } from '#sandbox/aws/services/aws-service.ts';

/** A value of a field: what the JSON of a line has. */
export type Value = string | number | boolean | undefined;

export type Condition =
  | { readonly is: 'any' | 'all'; readonly of: readonly Condition[] }
  | { readonly is: 'equal'; readonly field: string; readonly value: string | number }
  | { readonly is: 'one of'; readonly field: string; readonly values: readonly (string | number)[] }
  | { readonly is: 'like'; readonly field: string; readonly pattern: RegExp };

export type Aggregate = { readonly name: string } & (
  | { readonly of: 'count' }
  | { readonly of: 'max' | 'sum'; readonly field: string }
  | { readonly of: 'pct'; readonly field: string; readonly percent: number }
);

/** What rows are grouped by: a field, or the start of a period in milliseconds. */
export type GroupKey = { readonly name: string; readonly binMs?: number };

export type Command =
  | { readonly command: 'fields'; readonly fields: readonly string[] }
  | { readonly command: 'filter'; readonly condition: Condition }
  | { readonly command: 'stats'; readonly aggregates: readonly Aggregate[]; readonly by: readonly GroupKey[] }
  | { readonly command: 'sort'; readonly field: string; readonly isDescending: boolean }
  | { readonly command: 'limit'; readonly limit: number };

const tokenForm =
  /\s*(?:"(?<text>[^"\\]*)"|\/(?<pattern>(?:[^/\\]|\\.)+)\/|`(?<quoted>[^`]+)`|(?<number>\d+(?:\.\d+)?)(?<unit>[smhd])?(?![\w.])|(?<word>[@A-Za-z_][\w.@]*)|(?<sign>[|,()[\]=*]))/y;

type Token = {
  readonly kind: 'text' | 'pattern' | 'field' | 'number' | 'period' | 'word' | 'sign' | 'end';
  readonly text: string;
};

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function tokensOf(query: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (query.slice(at).trim() !== '') {
    tokenForm.lastIndex = at;
    const groups = tokenForm.exec(query)?.groups;
    if (groups === undefined) throw notUnderstood(JSON.stringify(query.slice(at).trim().slice(0, 20)));
    at = tokenForm.lastIndex;
    const { text, pattern, quoted, number, unit, word, sign } = groups;
    if (text !== undefined) tokens.push({ kind: 'text', text });
    else if (pattern !== undefined) tokens.push({ kind: 'pattern', text: pattern });
    else if (quoted !== undefined) tokens.push({ kind: 'field', text: quoted });
    else if (number !== undefined && unit !== undefined)
      tokens.push({ kind: 'period', text: String(Number(number) * (unitMs[unit] ?? 0)) });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else tokens.push({ kind: 'sign', text: sign ?? '' });
  }
  return tokens;
}

/**
 * Reads a query of CloudWatch Logs Insights, as far as the saved queries go.
 *
 * @throws {AwsServiceError} MalformedQueryException, naming what the laptop does not understand
 */
export function parseInsightsQuery(query: string): readonly Command[] {
  const tokens = tokensOf(query);
  let position = 0;
  const peek = (): Token => tokens[position] ?? { kind: 'end', text: 'the end' };
  const refuse = (): never => {
    throw notUnderstood(peek().kind === 'end' ? 'a query that ends here' : JSON.stringify(peek().text));
  };
  const take = (...kinds: readonly Token['kind'][]): string => {
    const token = peek();
    if (!kinds.includes(token.kind)) return refuse();
    position += 1;
    return token.text;
  };
  const isNext = (kind: Token['kind'], text: string) => peek().kind === kind && peek().text === text;
  const takeIf = (kind: Token['kind'], text: string): boolean => {
    if (!isNext(kind, text)) return false;
    position += 1;
    return true;
  };
  const expectNext = (kind: Token['kind'], text: string): void => {
    if (!takeIf(kind, text)) refuse();
  };
  const takeField = () => take('word', 'field');
  const takeList = <Item>(takeItem: () => Item): readonly Item[] => {
    const items = [takeItem()];
    while (takeIf('sign', ',')) items.push(takeItem());
    return items;
  };
  const takeLiteral = (): string | number => (peek().kind === 'number' ? Number(take('number')) : take('text'));

  function takeCondition(): Condition {
    const all = [takeConjunction()];
    while (takeIf('word', 'or')) all.push(takeConjunction());
    return { is: 'any', of: all };
  }

  function takeConjunction(): Condition {
    const all = [takeComparison()];
    while (takeIf('word', 'and')) all.push(takeComparison());
    return { is: 'all', of: all };
  }

  function takeComparison(): Condition {
    if (takeIf('sign', '(')) {
      const condition = takeCondition();
      expectNext('sign', ')');
      return condition;
    }
    const field = takeField();
    if (takeIf('sign', '=')) return { is: 'equal', field, value: takeLiteral() };
    if (takeIf('word', 'like')) return { is: 'like', field, pattern: new RegExp(take('pattern')) };
    expectNext('word', 'in');
    expectNext('sign', '[');
    const values = takeList(takeLiteral);
    expectNext('sign', ']');
    return { is: 'one of', field, values };
  }

  function takeAggregate(): Aggregate {
    const begin = position;
    const of = take('word');
    expectNext('sign', '(');
    const aggregate = takeArguments(of);
    expectNext('sign', ')');
    const text = tokens
      .slice(begin, position)
      .map((token) => token.text)
      .join('');
    return { ...aggregate, name: takeIf('word', 'as') ? takeField() : text };
  }

  function takeArguments(of: string) {
    switch (of) {
      case 'count':
        expectNext('sign', '*');
        return { of };
      case 'max':
      case 'sum':
        return { of, field: takeField() };
      case 'pct': {
        const field = takeField();
        expectNext('sign', ',');
        return { of, field, percent: Number(take('number')) };
      }
      default:
        throw notUnderstood(`${of}()`);
    }
  }

  function takeGroupKey(): GroupKey {
    if (!isNext('word', 'bin')) return { name: takeField() };
    take('word');
    expectNext('sign', '(');
    const binMs = Number(take('period'));
    expectNext('sign', ')');
    return { name: `bin(${binMs / 60_000}m)`, binMs };
  }

  function takeCommand(): Command {
    const command = take('word');
    switch (command) {
      case 'fields':
        return { command, fields: takeList(takeField) };
      case 'filter':
        return { command, condition: takeCondition() };
      case 'stats': {
        const aggregates = takeList(takeAggregate);
        return { command, aggregates, by: takeIf('word', 'by') ? takeList(takeGroupKey) : [] };
      }
      case 'sort': {
        const { name: field } = takeGroupKey();
        const isDescending = takeIf('word', 'desc');
        if (!isDescending) expectNext('word', 'asc');
        return { command, field, isDescending };
      }
      case 'limit':
        return { command, limit: Number(take('number')) };
      default:
        throw notUnderstood(command);
    }
  }

  const commands = [takeCommand()];
  while (takeIf('sign', '|')) commands.push(takeCommand());
  if (peek().kind !== 'end') refuse();
  return commands;
}

function notUnderstood(found: string): AwsServiceError {
  return new AwsServiceError(
    'MalformedQueryException',
    `The laptop does not understand ${found}. It runs what the saved queries use: fields, filter (=, in, like /…/, and, or), stats (count(*), max, sum, pct; by fields and bin), sort FIELD asc|desc, and limit. CloudWatch on AWS runs the rest.`,
  );
}
