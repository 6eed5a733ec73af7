import { withoutPromise11 } from '#sandbox/report/promises.ts';
import { formatTable } from '#sandbox/terminal/table.ts';
import { type BrokenPromise, promiseNumbers, promises } from './promises/promise.ts';
import type { Judgements } from './promises/tally.ts';

type Checked = {
  readonly judgements: Judgements;
  readonly failures: readonly { readonly broken?: BrokenPromise | undefined }[];
};

/** Each promise with how often it was checked, and the number of histories that broke it. */
export function countPromises({ judgements, failures }: Checked) {
  return promiseNumbers.map((promise) => ({
    promise,
    what: promises[promise],
    checked: judgements.get(promise) ?? 0,
    broken: failures.filter(({ broken }) => broken?.promise === promise).length,
  }));
}

/** The same as a table for a terminal. */
export function formatPromises(result: Checked): string {
  const rows = countPromises(result).map(({ promise, what, checked, broken }) => [
    `${String(promise).padStart(2)}  ${what}`,
    checked,
    broken,
  ]);
  return `${formatTable(['promise', 'checked', 'broken'], rows)}\n${withoutPromise11}`;
}

/** The promises that no history could break, because nothing was held against them. */
export function neverChecked(result: Checked): readonly string[] {
  return countPromises(result)
    .filter(({ checked }) => checked === 0)
    .map(({ promise }) => `a check of promise ${promise}`);
}
