import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { type Comment, parse } from 'acorn';
import { simple } from 'acorn-walk';
import { repositoryRoot } from '#infra/bundles/bundle.ts';

/** The docstring of each property of the objects in a source file, as one line. */
export function docstringsOf(path: string): ReadonlyMap<string, string> {
  const code = stripTypeScriptTypes(readFileSync(join(repositoryRoot, path), 'utf8'));
  const comments: Comment[] = [];
  const options = { ecmaVersion: 'latest', sourceType: 'module', onComment: comments } as const;
  const found = new Map<string, string>();
  simple(parse(code, options), {
    Property: ({ key, start }) => {
      if (key.type !== 'Identifier') return;
      const before = comments.find(({ end }) => end < start && code.slice(end, start).trim() === '');
      if (before?.type === 'Block') found.set(key.name, textOf(before.value));
    },
  });
  return found;
}

function textOf(comment: string): string {
  return comment
    .replaceAll(/^\*|^\s*\*/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
