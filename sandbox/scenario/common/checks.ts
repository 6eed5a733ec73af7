import { formatTable } from '#sandbox/terminal/table.ts';

/** One result that a scenario must show. */
export type Check = {
  readonly name: string;
  readonly expected: string | number;
  readonly found: string | number;
  readonly holds: boolean;
};

/** Holds if the found number is the expected one. */
export function checkEqual(name: string, expected: number, found: number): Check {
  return { name, expected, found, holds: expected === found };
}

/** Holds if the found number is 0. */
export function checkNone(name: string, found: number): Check {
  return checkEqual(name, 0, found);
}

/** Holds if there is at least one. Without it the other checks prove nothing. */
export function checkSome(name: string, found: number): Check {
  return { name, expected: 'some', found, holds: found > 0 };
}

/** Formats a table of all checks. The last column says whether each one holds. */
export function formatChecks(checks: readonly Check[]): string {
  const rows = checks.map(({ name, expected, found, holds }) => [name, expected, found, holds ? 'ok' : 'FAILED']);
  return formatTable(['check', 'expected', 'found', ''], rows);
}
