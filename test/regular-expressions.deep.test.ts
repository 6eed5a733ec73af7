import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { type AnyNode, parse } from 'acorn';
import { full } from 'acorn-walk';
import { checkSync } from 'recheck';
import { expect, it } from 'vitest';
import { regexes } from 'zod/v4/core';

// Only in JavaScript, in this thread: the same verdict on every machine.
process.env['RECHECK_SYNC_BACKEND'] = 'pure';

/** The methods of String that make an expression of a text. */
const makers: ReadonlySet<string> = new Set(['match', 'matchAll', 'search']);

/** The regular expressions that the code writes, and the lines that make one of a text, which nothing can check. */
function expressionsIn(file: string, code: string) {
  const written: RegExp[] = [];
  const made: string[] = [];
  const tree = parse(stripTypeScriptTypes(code), { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  full(tree, (node) => {
    // The walker declares a node only by its position.
    const any = node as AnyNode;
    if (any.type === 'Literal' && any.regex) written.push(new RegExp(any.regex.pattern, any.regex.flags));
    if (makesExpression(any)) made.push(`${file}:${any.loc?.start.line}`);
  });
  return { written, made };
}

function makesExpression(node: AnyNode): boolean {
  if (node.type === 'Identifier') return node.name === 'RegExp';
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { property } = node.callee;
  const [argument] = node.arguments;
  const isWritten = argument?.type === 'Literal' && argument.regex;
  return property.type === 'Identifier' && makers.has(property.name) && !isWritten;
}

/** What is wrong with an expression, with an attack; nothing if it takes linear time for every text. */
function faultsOf({ source, flags }: Pick<RegExp, 'source' | 'flags'>): readonly string[] {
  const verdict = checkSync(source, flags, { timeout: null });
  if (verdict.status === 'safe') return [];
  const why =
    verdict.status === 'vulnerable'
      ? `${verdict.complexity.summary}, for ${verdict.attack.pattern}`
      : `cannot be checked: ${verdict.error.kind}`;
  return [`/${source}/${flags}: ${why}`];
}

const root = join(import.meta.dirname, '..');
const sources = globSync('{functions,shared}/**/*.ts', { cwd: root })
  .toSorted()
  .map((file) => expressionsIn(file, readFileSync(join(root, file), 'utf8')));

it('finds no regular expression in functions/ and shared/, or of zod there, that takes more than linear time', () => {
  const written = [...sources.flatMap((source) => source.written), regexes.guid, regexes.base64, regexes.date];
  const different = [...new Map(written.map((expression) => [String(expression), expression])).values()];
  expect(different.length).toBeGreaterThan(30);
  expect(different.flatMap(faultsOf)).toEqual([]);
});

it('finds no code in functions/ and shared/ that makes a regular expression of a text, which no test can check', () => {
  expect(sources.flatMap(({ made }) => made)).toEqual([]);
  expect(expressionsIn('a.ts', 'const a = (b: string) => [new RegExp(b), b.match(b)];').made).toHaveLength(2);
});

it('finds a regular expression that takes quadratic time, with an attack', () => {
  const { written } = expressionsIn('a.ts', "const a: string = 'x';\nexport const b = a.replace(/0+$/, '');\n");
  expect(written.flatMap(faultsOf)).toEqual([expect.stringMatching(/2nd degree polynomial, for '0'\.repeat/)]);
});
