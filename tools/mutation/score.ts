import { relative } from 'node:path';
import type { Stryker } from '@stryker-mutator/core';

type Result = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

type Mutant = Pick<Result, 'status' | 'fileName' | 'location' | 'mutatorName' | 'replacement'>;

/** The mutants of an area that count, by their outcome. */
export type Score = {
  readonly mutants: number;
  /** A test failed. */
  readonly killed: number;
  /** The tests ran so long that they were stopped. Counts as caught. */
  readonly timedOut: number;
  /** Not caught. */
  readonly survivors: readonly Mutant[];
  /** Survivors that no test runs. */
  readonly uncovered: number;
  /** From 0 to 100. */
  readonly percent: number;
};

/** A mutant that no test runs survives. A mutant that does not load counts neither way. */
export function scoreOf(results: readonly Mutant[]): Score {
  const number = (status: Result['status']) => results.filter((mutant) => mutant.status === status).length;
  const survivors = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const [killed, timedOut, uncovered] = [number('Killed'), number('Timeout'), number('NoCoverage')];
  const mutants = killed + timedOut + survivors.length;
  const percent = mutants === 0 ? 0 : (100 * (killed + timedOut)) / mutants;
  return { mutants, killed, timedOut, survivors, uncovered, percent };
}

/** One line: where, what kind of mutation, what replaces the code, and whether no test runs the code. */
export function formatSurvivor({ status, fileName, location, mutatorName, replacement = '' }: Mutant): string {
  const { line, column } = location.start;
  const coverage = status === 'NoCoverage' ? '  (no test runs it)' : '';
  return `${relative(process.cwd(), fileName)}:${line}:${column}  ${mutatorName}  ${replacement.replaceAll('\n', ' ').slice(0, 100)}${coverage}`;
}
