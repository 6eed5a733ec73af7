import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembliesOf, type Deployment } from './deployment.ts';
import { commandsOf } from './page-commands.ts';
import { runCommand } from './tools/command.ts';

/** The page with the calls behind the commands. */
export const pageOfCalls = 'docs/how-to/without-the-command-line.md';

/** The environment that the pages deploy. */
const environmentOfPages = 'production';

type Operated = Pick<Deployment, 'root' | 'directory' | 'environment' | 'env' | 'signal'>;

type PageRun = {
  /** The commands. */
  readonly script: string;
  /** What they printed. */
  readonly printed: string;
};

/** Runs the commands of a page's sections in one shell, as an operator would, in this run's environment. Returns what was run. */
export async function runPage(...args: Parameters<typeof runAndRead>): Promise<string> {
  return (await runAndRead(...args)).script;
}

/** Runs the commands like `runPage`, and returns what they printed as well. */
export async function runAndRead(
  { root, directory, environment, env, signal }: Operated,
  page: string,
  headings: string | readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<PageRun> {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [headings].flat().flatMap((heading) => commandsOf(text, heading));
  const script = blocks.join('').replaceAll(environmentOfPages, environment);
  const { adapted } = assembliesOf({ directory });
  const printed = await runCommand('sh', ['-eu', '-c', `exec 2>&1\n${script}`], {
    cwd: directory,
    env: { ...env, ...variables, ADAPTED_ASSEMBLY: adapted },
    signal,
  });
  return { script: script.trimEnd(), printed };
}
