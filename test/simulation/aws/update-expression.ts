import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { givenValue, nameOf, readOperand, type Scope } from './condition-expression.ts';
import { type ExpressionReader, readExpression } from './expression-reader.ts';

/** What an update does to an item: the attributes that it names, with their new values; undefined of one that goes. */
export type Update = (scope: Scope) => ReadonlyMap<string, AttributeValue | undefined>;

type Action = (scope: Scope) => readonly [name: string, value: AttributeValue | undefined];

/** An update that does not fit the attribute's type. */
export class UpdateTypeError extends Error {}

const read = new Map<string, Update>();

/** Reads an update expression; each text once. @throws {NotSimulatedError} */
export function readUpdate(expression: string): Update {
  const known = read.get(expression);
  if (known !== undefined) return known;
  const reader = readExpression(expression);
  const actions: Action[] = [];
  while (!reader.isAtEnd()) actions.push(...readClause(reader));
  const update: Update = (scope) => new Map(actions.map((action) => action(scope)));
  read.set(expression, update);
  return update;
}

function readClause(reader: ExpressionReader): readonly Action[] {
  const clause = reader.takeOneOf(['SET', 'REMOVE', 'ADD', 'DELETE']) ?? reader.refuse();
  const actions: Action[] = [];
  do actions.push(readers[clause](reader));
  while (reader.take(','));
  return actions;
}

const readers = {
  SET: (reader: ExpressionReader): Action => {
    const name = reader.takeWord('name') ?? reader.refuse();
    reader.expect('=');
    const operand = readSetValue(reader);
    return (scope) => [nameOf(scope, name), operand(scope)];
  },
  REMOVE: (reader: ExpressionReader): Action => {
    const name = reader.takeWord('name') ?? reader.refuse();
    return (scope) => [nameOf(scope, name), undefined];
  },
  ADD: (reader: ExpressionReader) => readChange(reader, add),
  DELETE: (reader: ExpressionReader) => readChange(reader, remove),
};

/** An operand, or `if_not_exists(name, operand)`. */
function readSetValue(reader: ExpressionReader): ReturnType<typeof readOperand> {
  if (!reader.take('if_not_exists')) return readOperand(reader);
  reader.expect('(');
  const name = reader.takeWord('name') ?? reader.refuse();
  reader.expect(',');
  const otherwise = readOperand(reader);
  reader.expect(')');
  return (scope) => scope.item[nameOf(scope, name)] ?? otherwise(scope);
}

type Change = (before: AttributeValue | undefined, value: AttributeValue) => AttributeValue | undefined;

function readChange(reader: ExpressionReader, change: Change): Action {
  const name = reader.takeWord('name') ?? reader.refuse();
  const placeholder = reader.takeWord('value') ?? reader.refuse();
  return (scope) => {
    const attribute = nameOf(scope, name);
    return [attribute, change(scope.item[attribute], givenValue(scope, placeholder))];
  };
}

function add(before: AttributeValue | undefined, value: AttributeValue): AttributeValue {
  if (before === undefined) return value;
  if (value.N !== undefined && before.N !== undefined) return { N: String(Number(before.N) + Number(value.N)) };
  if (value.SS !== undefined && before.SS !== undefined) return { SS: [...new Set([...before.SS, ...value.SS])] };
  throw new UpdateTypeError('An operand in the update expression has an incorrect data type');
}

function remove(before: AttributeValue | undefined, value: AttributeValue): AttributeValue | undefined {
  if (before === undefined) return undefined;
  const { SS } = value;
  if (SS === undefined || before.SS === undefined)
    throw new UpdateTypeError('An operand in the update expression has an incorrect data type');
  const left = before.SS.filter((one) => !SS.includes(one));
  return left.length === 0 ? undefined : { SS: left };
}
