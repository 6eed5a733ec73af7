import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { compareValues, type Item, isSameValue } from './attribute-value.ts';
import { type ExpressionReader, NotSimulatedError, readExpression } from './expression-reader.ts';

/** The item, names and values that an expression is evaluated with. */
export type Scope = {
  readonly item: Item;
  readonly names: Readonly<Record<string, string>> | undefined;
  readonly values: Item | undefined;
};

export type Condition = (scope: Scope) => boolean;

type Operand = (scope: Scope) => AttributeValue | undefined;

const read = new Map<string, Condition>();

/** Reads a condition, a key condition or a filter; each text once. @throws {NotSimulatedError} */
export function readCondition(expression: string): Condition {
  const known = read.get(expression);
  if (known !== undefined) return known;
  const reader = readExpression(expression);
  const condition = readOr(reader);
  if (!reader.isAtEnd()) reader.refuse();
  read.set(expression, condition);
  return condition;
}

function readOr(reader: ExpressionReader): Condition {
  const left = readAnd(reader);
  if (!reader.take('OR')) return left;
  const right = readOr(reader);
  return (scope) => left(scope) || right(scope);
}

function readAnd(reader: ExpressionReader): Condition {
  const left = readNot(reader);
  if (!reader.take('AND')) return left;
  const right = readAnd(reader);
  return (scope) => left(scope) && right(scope);
}

function readNot(reader: ExpressionReader): Condition {
  if (reader.take('NOT')) {
    const negated = readNot(reader);
    return (scope) => !negated(scope);
  }
  if (!reader.take('(')) return readFunction(reader) ?? readComparison(reader);
  const inner = readOr(reader);
  reader.expect(')');
  return inner;
}

type Test = (value: AttributeValue | undefined, argument: AttributeValue | undefined) => boolean;

const functions = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  contains: (value, argument) =>
    argument?.S !== undefined && (value?.SS?.includes(argument.S) ?? value?.S?.includes(argument.S) ?? false),
  begins_with: (value, argument) => argument?.S !== undefined && (value?.S?.startsWith(argument.S) ?? false),
} satisfies Record<string, Test>;

function readFunction(reader: ExpressionReader): Condition | undefined {
  const name = reader.takeOneOf(['attribute_exists', 'attribute_not_exists', 'contains', 'begins_with']);
  if (name === undefined) return undefined;
  reader.expect('(');
  const value = readOperand(reader);
  const argument = reader.take(',') ? readOperand(reader) : () => undefined;
  reader.expect(')');
  const test: Test = functions[name];
  return (scope) => test(value(scope), argument(scope));
}

const comparisons = {
  '=': (order: number) => order === 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
};

function readComparison(reader: ExpressionReader): Condition {
  const left = readOperand(reader);
  if (reader.take('BETWEEN')) return readBetween(left, reader);
  const operator = reader.takeOneOf(['=', '<>', '<=', '<', '>=', '>']) ?? reader.refuse();
  const right = readOperand(reader);
  return (scope) => {
    const [one, other] = [left(scope), right(scope)];
    if (one === undefined || other === undefined) return operator === '<>';
    if (operator === '=' || operator === '<>') return isSameValue(one, other) === (operator === '=');
    const order = compareValues(one, other);
    return order !== undefined && comparisons[operator](order);
  };
}

/** Both ends included. */
function readBetween(value: Operand, reader: ExpressionReader): Condition {
  const least = readOperand(reader);
  reader.expect('AND');
  const most = readOperand(reader);
  const isInOrder = (one: AttributeValue | undefined, other: AttributeValue | undefined) =>
    one !== undefined && other !== undefined && (compareValues(one, other) ?? 1) <= 0;
  return (scope) => isInOrder(least(scope), value(scope)) && isInOrder(value(scope), most(scope));
}

/** An attribute, or a value that the request brings. */
export function readOperand(reader: ExpressionReader): Operand {
  const placeholder = reader.takeWord('value');
  if (placeholder !== undefined) return (scope) => givenValue(scope, placeholder);
  const name = reader.takeWord('name') ?? reader.refuse();
  return (scope) => scope.item[nameOf(scope, name)];
}

export function nameOf({ names }: Scope, word: string): string {
  const name = word.startsWith('#') ? names?.[word] : word;
  if (name === undefined) throw new NotSimulatedError(`ExpressionAttributeNames has no ${word}.`);
  return name;
}

export function givenValue({ values }: Scope, placeholder: string): AttributeValue {
  const value = values?.[placeholder];
  if (value === undefined) throw new NotSimulatedError(`ExpressionAttributeValues has no ${placeholder}.`);
  return value;
}
