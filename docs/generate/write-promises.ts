import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promiseNumbers } from '#test/simulation/promises/promise.ts';
import { generated } from './generated.ts';
import { root } from './markdown-pages.ts';
import { type TestedPromise, testedPromises } from './promise-tests.ts';

const sourcesIn = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

const checks = sourcesIn('test/simulation/promises/*.ts').filter(({ file }) => !file.endsWith('/promise.ts'));

const preface = `${generated}

# The promises

*For engineers who decide whether to rely on Drawbridge, and for reviewers who want to see the tests.*

Each promise holds under every fault that the [simulation](simulation.md) knows: crashes, lost answers, duplicates, reordering, throttling, and a
platform that fails for hours. Code, test titles and reports name it by its number. Below each promise are the tests that hold it (those in
\`end-to-end\` run on the hosted stacks), and its checks in each history of the simulation.`;

/** `docs/explanation/promises.md`: each promise, with the tests that hold it. */
export function writePromises(): string {
  return `${[preface, ...testedPromises.map(writePromise)].join('\n\n')}\n`;
}

const linked = (file: string) => `[${file.replace(/^test\/(?:simulation\/promises\/)?/, '')}](../../${file})`;

function writePromise({ title, text, tests }: TestedPromise, index: number): string {
  const isSimulated = promiseNumbers.some((number) => number === index + 1);
  const rows = tests.map(([file, shows]) => `- ${linked(`test/${file}`)}: ${shows}`);
  return [
    `## ${index + 1}. ${title}`,
    text,
    [...rows, ...(isSimulated ? writeSimulated(index + 1) : [])].join('\n'),
  ].join('\n\n');
}

function writeSimulated(number: number): readonly string[] {
  const checking = checks.filter(({ text }) => new RegExp(`promise: ${number}\\b`).test(text));
  return [`- simulation: ${checking.map(({ file }) => linked(file)).join(', ')}`];
}
