import * as z from 'zod';
import { nearestWord } from '#shared/nearest-word.ts';
import { schemaAt } from './settings-schema.ts';

/** What is wrong with a setting, as zod says it. */
export type Issue = {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  readonly keys?: readonly string[];
  readonly input?: unknown;
};

/** A line for each refused setting: its path, and what is wrong with the setting. @param at the path of what was checked */
export function describeIssues(issues: readonly Issue[], at: readonly PropertyKey[] = []): readonly string[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    if (issue.keys !== undefined) return issue.keys.map((key) => describeUnknown(path, key));
    return [`${nameOf(path)}: ${isMissing(issue) ? 'is required.' : issue.message}`];
  });
}

function describeUnknown(path: readonly PropertyKey[], key: string): string {
  const known = Object.keys(schemaAt(path)?.properties ?? {});
  const nearest = nearestWord(key, known);
  const hint = nearest === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${nameOf([...path, nearest])}?`;
  return `${nameOf([...path, key])}: unknown setting. ${hint}`;
}

const isMissing = ({ code, input }: Issue) => code === 'invalid_type' && input === undefined;

const nameOf = (path: readonly PropertyKey[]) => (path.length === 0 ? '(all of it)' : z.core.toDotPath([...path]));
