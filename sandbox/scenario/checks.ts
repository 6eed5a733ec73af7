import { formatTable } from '#sandbox/table.ts';

/** One thing that a scenario must show. */
export type Check = {
  readonly name: string;
  readonly expected: string | number;
  readonly found: string | number;
  readonly holds: boolean;
};

/** Holds where what was found is exactly what was expected. */
export function checkEqual(name: string, expected: number, found: number): Check {
  return { name, expected, found, holds: expected === found };
}

/** Holds where there is none of what must not be. */
export function checkNone(name: string, found: number): Check {
  return checkEqual(name, 0, found);
}

/** Holds where there is at least one: else the other checks would have shown nothing. */
export function checkSome(name: string, found: number): Check {
  return { name, expected: 'some', found, holds: found > 0 };
}

/** A table of all checks. The last column says whether each holds. */
export function formatChecks(checks: readonly Check[]): string {
  const rows = checks.map(({ name, expected, found, holds }) => [name, expected, found, holds ? 'ok' : 'FAILED']);
  return formatTable(['check', 'expected', 'found', ''], rows);
}
