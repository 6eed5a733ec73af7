import { formatTable } from '#sandbox/terminal/table.ts';
import { type BrokenPromise, promiseNumbers, promises } from './promises/promise.ts';
import type { Judgements } from './promises/tally.ts';

type Checked = {
  readonly judgements: Judgements;
  readonly failures: readonly { readonly broken?: BrokenPromise | undefined }[];
};

/** A table of the promises: how often each was checked, and the number of histories that broke it. */
export function formatPromises({ judgements, failures }: Checked): string {
  const rows = promiseNumbers.map((promise) => [
    `${String(promise).padStart(2)}  ${promises[promise]}`,
    judgements.get(promise) ?? 0,
    failures.filter(({ broken }) => broken?.promise === promise).length,
  ]);
  return formatTable(['promise', 'checked', 'broken'], rows);
}

/** The promises that no history could break, because nothing was held against them. */
export function neverChecked({ judgements }: Pick<Checked, 'judgements'>): readonly string[] {
  return promiseNumbers
    .filter((promise) => judgements.get(promise) === 0)
    .map((promise) => `a check of promise ${promise}`);
}
