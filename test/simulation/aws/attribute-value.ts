import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Readonly<Record<string, AttributeValue>>;

/** `S`, `N`, `SS` and so on. */
export function typeOf(value: AttributeValue): string {
  return Object.keys(value)[0] ?? '';
}

/** Below, at or above 0, as DynamoDB orders values of one type; undefined if it does not. */
export function compareValues(one: AttributeValue, other: AttributeValue): number | undefined {
  if (one.N !== undefined && other.N !== undefined) return Number(one.N) - Number(other.N);
  if (one.S !== undefined && other.S !== undefined) return compareTexts(one.S, other.S);
  if (one.B !== undefined && other.B !== undefined) return Buffer.compare(one.B, other.B);
  return undefined;
}

const ascii = /^[ -~]*$/;

/** By their bytes in UTF-8. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  // The order of ASCII is the same, and quicker to find.
  if (ascii.test(one) && ascii.test(other)) return one < other ? -1 : 1;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

export function isSameValue(one: AttributeValue, other: AttributeValue): boolean {
  const order = compareValues(one, other);
  if (order !== undefined) return order === 0;
  return typeOf(one) === typeOf(other) && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** A set has no order. */
function sorted(value: AttributeValue): AttributeValue {
  return value.SS === undefined ? value : { SS: value.SS.toSorted() };
}
