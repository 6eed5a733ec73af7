import { relative } from 'node:path';
import type { Stryker } from '@stryker-mutator/core';

type Result = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

type Mutant = Pick<Result, 'status' | 'fileName' | 'location' | 'mutatorName' | 'replacement'>;

/** Mutants that count, those that the tests noticed, and the rest. */
export type Score = {
  readonly mutants: number;
  readonly caught: number;
  /** Of those that are caught: the tests ran so long that they were stopped. */
  readonly timeouts: number;
  readonly survivors: readonly Mutant[];
  /** From 0 to 100. */
  readonly percent: number;
};

/** A mutant that no test runs survives. One that does not load counts neither way. */
export function scoreOf(results: readonly Mutant[]): Score {
  const caught = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const timeouts = results.filter(({ status }) => status === 'Timeout').length;
  const survivors = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const mutants = caught + survivors.length;
  return { mutants, caught, timeouts, survivors, percent: mutants === 0 ? 0 : (100 * caught) / mutants };
}

/** One line: where, what kind of mutation, and what stands there instead. */
export function formatSurvivor({ fileName, location, mutatorName, replacement = '' }: Mutant): string {
  const { line, column } = location.start;
  return `${relative(process.cwd(), fileName)}:${line}:${column}  ${mutatorName}  ${replacement.replaceAll('\n', ' ').slice(0, 100)}`;
}
