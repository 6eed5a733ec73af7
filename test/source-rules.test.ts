import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { allowed, expectVerdict, lintSnippets, refused, type Snippet } from './lint-snippets.ts';

const root = dirname(import.meta.dirname);
let files = 0;

/** A snippet in a file of its own: `*` in the path is where its number goes. */
function snippet(what: string, code: string, finding?: string, path = 'shared/*.ts'): Snippet {
  return {
    what,
    path: path.replace('*', `case-${files++}`),
    code: `${code}\n`,
    ...(finding !== undefined && { finding }),
  };
}

/** A snippet of a test file, after the imports of vitest. */
function testSnippet(what: string, code: string, finding?: string): Snippet {
  const rest = `describe('d', () => {\n  it('works', () => {\n    expect(vi.fn()).toBeDefined();\n  });\n});`;
  const whole = `import { describe, expect, it, vi } from 'vitest';\n\n${code}\n\n${rest}`;
  return snippet(what, whole, finding, 'test/*.test.ts');
}

const reExport = 'Do not re-export';
const exports = [
  snippet('a default export', 'export default 1;', 'noDefaultExport'),
  snippet('a default export by name', 'const a = 1;\nexport { a as default };', 'noDefaultExport'),
  snippet('export =', 'const a = 1;\nexport = a;', 'No export ='),
  snippet('a barrel', `export * from './x.ts';`, reExport),
  snippet('a barrel with a name', `export * as x from './x.ts';`, reExport),
  snippet('a re-exported name', `export { x } from './x.ts';`, reExport),
  snippet('a re-exported type', `export type { X } from './x.ts';`, reExport),
  snippet('a re-exported import', `import { x } from './x.ts';\n\nexport { x };`, 'noExportedImports'),
  snippet('a re-exported name of the npm package', `export { x } from './x.ts';`, undefined, 'package/exports/*.ts'),
  snippet('a list of its own names', 'const a = 1;\nconst b = 2;\nexport { a, b as bee };'),
  snippet('a default export where vitest wants it', 'export default 1;', undefined, 'vitest.config.ts'),
  snippet('a file called index', 'export const a = 1;', 'useFilenamingConvention', 'shared/entities/index.ts'),
  snippet('a file called utils', 'export const a = 1;', 'useFilenamingConvention', 'functions/onboarding/utils.ts'),
  snippet('a file called helpers', 'export const a = 1;', 'useFilenamingConvention', 'test/helpers.ts'),
  snippet('a file in camel case', 'export const a = 1;', 'useFilenamingConvention', 'shared/*camelCase.ts'),
];

const unsafe = 'noUnsafeTypeAssertion';
const types = [
  snippet('any', 'export const f = (x: any): number => Number(x);', 'noExplicitAny'),
  snippet('any in a test', 'export const f = (x: any): number => Number(x);', 'noExplicitAny', 'test/*.ts'),
  snippet('as', 'export const f = (x: unknown) => x as string;', unsafe),
  snippet('as, twice', 'export const f = (x: number) => x as unknown as string;', unsafe),
  snippet('an assertion in angle brackets', 'export const f = (x: unknown) => <string>x;', unsafe),
  snippet('as in an entry', `export const a = JSON.parse('1') as number;`, unsafe, 'functions/onboarding/*/lambda.ts'),
  snippet('!', 'export const f = (x: string | undefined): string => x!;', 'noNonNullAssertion'),
  snippet('a field that is said to be set', 'export class A {\n  b!: string;\n}', 'No definite assignment'),
  snippet('an enum', `export enum A {\n  B = 'b',\n}`, 'noEnum'),
  snippet('a namespace', 'export namespace A {\n  export const b = 1;\n}', 'noNamespace'),
  snippet('a comment that ignores a type error', `// ${'@ts'}-ignore: no\nexport const a = 1;`, 'noTsIgnore'),
  snippet('as const', `export const a = ['x'] as const;`),
  snippet('satisfies', 'export const a = { b: 1 } satisfies { b: number };'),
];

const promises = [
  snippet(
    'a promise without an await',
    'const p = async (): Promise<number> => 1;\nexport const f = (): void => {\n  p();\n};',
    'noFloatingPromises',
  ),
  snippet(
    'a promise as a condition',
    'const p = async (): Promise<boolean> => true;\nexport const f = () => (p() ? 1 : 2);',
    'noMisusedPromises',
  ),
];

const calls = [
  snippet('fetch', `export const f = () => fetch('https://x.example');`, 'noRestrictedGlobals'),
  snippet(
    'fetch in an entry',
    'export const deps = { fetch };',
    'noRestrictedGlobals',
    'functions/onboarding/*/lambda.ts',
  ),
  snippet('fetch in the sandbox', `export const f = () => fetch('https://x.example');`, undefined, 'sandbox/*.ts'),
  snippet('a parameter called fetch', 'export const f = (fetch: () => Promise<number>) => fetch();'),
];

const inEntries = 'Environment variables are read only in entry files';
const environmentForms: readonly (readonly [string, string, string])[] = [
  ['process.env', 'export const e = process.env.X;', 'noProcessEnv'],
  ["process['env']", `export const e = process['env'];`, 'noProcessEnv'],
  ['globalThis.process.env', 'export const e = globalThis.process.env;', 'noProcessEnv'],
  ['env of process', 'export const { env } = process;', inEntries],
  ['process under another name', 'const p = process;\nexport const e = p.env;', inEntries],
  ['env of node:process', `import { env } from 'node:process';\n\nexport const e = env.X;`, inEntries],
  ['the whole of node:process', `import process from 'node:process';\n\nexport const e = process.argv;`, inEntries],
];
const entries = [
  'functions/onboarding/*/lambda.ts',
  'infra/app.ts',
  'sandbox/*/main.ts',
  'cli/main.ts',
  'sandbox/aws/lambda/bootstrap.ts',
];
const environment = environmentForms.flatMap(([form, code, finding]) =>
  ['functions/onboarding/*.ts', 'shared/*.ts', 'infra/*.ts', 'sandbox/*.ts'].map((path) =>
    snippet(`${form} in ${path}`, code, finding, path),
  ),
);
const entryEnvironment = [
  ...entries.map((path) => snippet(`process.env in ${path}`, 'export const e = process.env.X;', undefined, path)),
  snippet('the rest of process', 'export const { pid } = process;\nexport const here = process.cwd();'),
];

const noMocks = 'noJsRestrictedProperties';
const noFocus = 'noJsRestrictedProperties';
const tests = [
  testSnippet('vi.mock', `vi.mock('#shared/aws/queue.ts');`, noMocks),
  testSnippet('vi.mock of an import', `vi.mock(import('#shared/aws/queue.ts'));`, noMocks),
  testSnippet('vi.doMock', `vi.doMock('#shared/aws/queue.ts');`, noMocks),
  testSnippet('mock of vi', `const { mock } = vi;\nmock('#shared/aws/queue.ts');`, noMocks),
  testSnippet('it.only', `it.only('b', () => undefined);`, noFocus),
  testSnippet('describe.only', `describe.only('b', () => undefined);`, noFocus),
  testSnippet('it.skip', `it.skip('b', () => undefined);`, noFocus),
  testSnippet('describe.skip', `describe.skip('b', () => undefined);`, noFocus),
  testSnippet('it.only.each', `it.only.each([1])('b %s', () => undefined);`, noFocus),
  testSnippet('it.skipIf', `it.skipIf(process.env.CI)('b', () => undefined);`, noFocus),
  testSnippet('it.runIf', `it.runIf(process.env.CI)('b', () => undefined);`, noFocus),
  testSnippet('it.todo', `it.todo('b');`, noFocus),
  testSnippet('a skip of the context', `it('b', (context) => {\n  context.skip();\n});`, noFocus),
  testSnippet('fit', `fit('b', () => undefined);`, 'noFocusedTests'),
  testSnippet('xit', `xit('b', () => undefined);`, 'noSkippedTests'),
  testSnippet('the option only', `it('b', { only: true }, () => undefined);`, 'No focused or skipped tests'),
  testSnippet(
    'the option skip',
    `it('b', { timeout: 1, skip: true }, () => undefined);`,
    'No focused or skipped tests',
  ),
  testSnippet('a fake, a spy and a table', `vi.spyOn(Math, 'random');\nconst f = vi.fn();\nf.mockReturnValue(1);`),
];

const snippets = [...exports, ...types, ...promises, ...calls, ...environment, ...entryEnvironment, ...tests];
let found: ReadonlyMap<string, readonly string[]>;
beforeAll(async () => {
  found = await lintSnippets(snippets);
});

const verdict = (_: string, snippet: Snippet) => expectVerdict(found, snippet);

describe('the rule that each name comes from the file that declares it', () => {
  it.each(refused(exports))('refuses in source files %s', verdict);
  it.each(allowed(exports))('allows in source files %s', verdict);
});

describe('the rule against escapes from the type system', () => {
  it.each(refused(types))('refuses in source files %s', verdict);
  it.each(allowed(types))('allows in source files %s', verdict);
});

describe('the rule that every promise is awaited', () => {
  it.each(refused(promises))('refuses in source files %s', verdict);
});

describe('the rule against the fetch of Node, which can end the process', () => {
  it.each(refused(calls))('refuses a call by %s', verdict);
  it.each(allowed(calls))('allows a call by %s', verdict);
});

describe('the rule that only entry files read environment variables', () => {
  it.each(refused(environment))('refuses the environment by %s', verdict);
  it.each(allowed(entryEnvironment))('allows the environment by %s', verdict);
});

describe('the rule against module mocks and focused or skipped tests', () => {
  it.each(refused(tests))('refuses in test files %s', verdict);
  it.each(allowed(tests))('allows in test files %s', verdict);
});

describe('the rule that rules have no exceptions', () => {
  const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /\.(ts|js|mjs|json|grit)$/.test(path) && path !== 'package-lock.json');

  it.each(['biome-', '@ts-'])('no comment that begins with %s silences a checker', (prefix) => {
    const silencer = new RegExp(`${prefix}(ignore|expect-error|nocheck)`);
    expect(sources).toContain('infra/bundles/bundle.ts');
    expect(sources.filter((path) => silencer.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
  });

  it('every rule of lint/ is switched on', () => {
    const configuration = readFileSync(join(root, 'biome.json'), 'utf8');
    const unused = readdirSync(join(root, 'lint')).filter((name) => !configuration.includes(`"./lint/${name}"`));
    expect(unused).toEqual([]);
  });
});
