import { type RuleId, rules } from './rules.ts';

/** A contract test: `<rule>: <anything> > <what it checks>`. What the specification says twice is one test: `<rule> + <rule>: …`. */
export type ContractTest = { readonly name: string; readonly file: string };

/** What the suite covers: the tests of each rule, and the tests that are named after none. */
export type Coverage = {
  readonly tests: ReadonlyMap<RuleId, readonly ContractTest[]>;
  readonly strays: readonly ContractTest[];
};

export function measureCoverage(tests: readonly ContractTest[]): Coverage {
  const byRule = new Map<RuleId, ContractTest[]>();
  const strays: ContractTest[] = [];
  for (const test of tests) {
    const named = rulesOf(test);
    if (!named.every(isRule)) strays.push(test);
    else for (const id of named) byRule.set(id, [...(byRule.get(id) ?? []), test]);
  }
  return { tests: byRule, strays };
}

export function untested({ tests }: Coverage): readonly RuleId[] {
  return ids().filter((id) => !tests.has(id));
}

function ids(): readonly RuleId[] {
  return Object.keys(rules).filter(isRule);
}

function isRule(id: string): id is RuleId {
  return Object.hasOwn(rules, id);
}

function rulesOf({ name }: ContractTest): readonly string[] {
  const [ids = ''] = name.split(':');
  return ids.split(' + ');
}

/** The page that `npm run docs` builds: each rule with its tests. */
export function writeCoverage({ tests }: Coverage): string {
  const rows = ids().map((id) => {
    const of = tests.get(id) ?? [];
    const files = [...new Set(of.map(({ file }) => `[${file}](../../test/spec/${file})`))];
    const names = of.map(({ name }) => escapeCell(name.split(' > ').slice(1).join(' > ')));
    return `| ${id} | ${rules[id]} | ${names.join('<br>')} | ${files.join('<br>')} |`;
  });
  return [
    '# Coverage of the specification',
    '',
    '*For engineers who ask whether a rule of the platform is tested.* Each rule of [the platform](../reference/platform.md), in our words, with the',
    'contract tests that check it: the client of `shared/platform` against the sandbox platform, over a socket. A rule without a test',
    'fails the suite. "Not tried" names what the tests of a rule leave out.',
    '',
    '| Rule | Text | Tests | File |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
