import { appendFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';

const root = dirname(dirname(dirname(import.meta.dirname)));
const directory = join(root, 'node_modules/.cache/drawbridge/used-permissions');

/** The templates of the stacks whose functions ran. */
const templates = join(directory, 'assembly');

const use = z.object({ testFile: z.string(), caller: z.string(), action: z.string(), resource: z.string() });

/** That a function called an AWS API for which it needs this permission, in this test file. */
export type Use = z.infer<typeof use>;

/** Forgets the last run. What follows is recorded for this one, of the functions of these synthesized stacks. */
export function beginRecording(assembly: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(templates, { recursive: true });
  for (const name of globSync('{*.json,cdk.out}', { cwd: assembly }))
    cpSync(join(assembly, name), join(templates, name));
}

/** Keeps a use for when all tests are done. Each process has a file of its own. */
export function record(newUse: Use): void {
  appendFileSync(join(directory, `${process.pid}.jsonl`), `${JSON.stringify(newUse)}\n`);
}

/** What was recorded in the last run. */
export function readRecording() {
  const uses = globSync(join(directory, '*.jsonl'))
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
    .map((line) => use.parse(JSON.parse(line)));
  return { assembly: templates, uses };
}

/** The test files of `npm test` that host the stacks, from the root of the repository. Deep tests run elsewhere. */
export function hostingTestFiles(): readonly string[] {
  return globSync('test/**/*.test.ts', { cwd: root })
    .filter((path) => !path.endsWith('.deep.test.ts'))
    .filter((path) => /(?:hosted-(?:sandbox|stacks)|console-stage)\.ts'/.test(readFileSync(join(root, path), 'utf8')))
    .toSorted();
}
