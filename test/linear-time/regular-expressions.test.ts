import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSync } from 'recheck';
import { describe, expect, it } from 'vitest';
import { regexes } from 'zod/v4/core';
import { type Expression, expressionsIn } from './regular-expressions.ts';

const root = join(import.meta.dirname, '../..');
const sources = globSync('{functions,shared}/**/*.ts', { cwd: root })
  .toSorted()
  .map((file) => expressionsIn(file, readFileSync(join(root, file), 'utf8')));

/** The expressions of zod that schemas in functions/ and shared/ use. */
const ofZod = [regexes.guid, regexes.base64, regexes.date].map(
  ({ source, flags }): Expression => ({ place: 'zod', source, flags }),
);

// In JavaScript alone, in this thread: the same verdict on every machine.
process.env['RECHECK_SYNC_BACKEND'] = 'pure';

/** What is wrong with an expression; undefined if it takes linear time for every text. */
function faultOf({ place, source, flags }: Expression): string | undefined {
  const verdict = checkSync(source, flags, { timeout: null });
  if (verdict.status === 'safe') return undefined;
  const why =
    verdict.status === 'vulnerable'
      ? `takes ${verdict.complexity.summary} time, for example for ${verdict.attack.pattern}`
      : `cannot be checked: ${verdict.error.kind}`;
  return `${place}: /${source}/${flags} ${why}. Use an expression that takes linear time, or a scanner.`;
}

function faultsIn(code: string): readonly (string | undefined)[] {
  return expressionsIn('planted.ts', code).literals.map(faultOf);
}

describe('regular expressions in functions/ and shared/', () => {
  const written = [
    ...new Map(sources.flatMap(({ literals }) => literals).map((one) => [`${one.source}/${one.flags}`, one])).values(),
  ];

  it('are more than 30, so that the search works', () => {
    expect(written.length).toBeGreaterThan(30);
  });

  it.each([...written, ...ofZod])('take linear time for every text: /$source/$flags at $place', (expression) => {
    expect(faultOf(expression)).toBeUndefined();
  });

  it('are literals, because no test can check an expression that is made of a text', () => {
    expect(sources.flatMap(({ made }) => made)).toEqual([]);
  });
});

describe('the check of regular expressions', () => {
  it('names the place of an expression that takes quadratic time, and an attack', () => {
    const [fault] = faultsIn("const a: string = 'x';\nexport const b = a.replace(/0+$/, '');\n");
    expect(fault).toMatch(/^planted\.ts:2: \/0\+\$\/ takes 2nd degree polynomial time, for example for '0'\.repeat/);
  });

  it('refuses an expression that takes exponential time', () => {
    expect(faultsIn('export const a = /^(a|a)*$/;')).toEqual([expect.stringContaining('takes exponential time')]);
  });

  it('refuses white space on both sides of a colon after a look-behind', () => {
    const code = String.raw`export const a = /(?<="\w*(person|verification)Id"\s*:\s*"?)[a-z\d]+/gi;`;
    expect(faultsIn(code)).toEqual([expect.stringContaining('polynomial')]);
  });

  it('finds no expression in a comment, a text, a template or a division', () => {
    const code = "// /0+$/\nexport const a = ['/0+$/', `/0+$/`, 4 / 2 / 1];\n";
    expect(expressionsIn('planted.ts', code)).toEqual({ literals: [], made: [] });
  });

  it('finds an expression within a template, and after a type assertion', () => {
    const code = ['export const a = `$', '{/x+y/u.test("")}`;\nexport const b = /z/ satisfies RegExp;\n'].join('');
    expect(expressionsIn('planted.ts', code)).toEqual({
      literals: [
        { place: 'planted.ts:1', source: 'x+y', flags: 'u' },
        { place: 'planted.ts:2', source: 'z', flags: '' },
      ],
      made: [],
    });
  });

  it.each([
    'new RegExp(text)',
    "RegExp('a')",
    'new globalThis.RegExp(text)',
    'text.match(text)',
    "text['matchAll'](text)",
    'text.search(text + text)',
  ])('refuses %s, which makes an expression of a text', (code) => {
    expect(expressionsIn('planted.ts', `export const a = (text: string) => ${code};`).made).not.toEqual([]);
  });
});
