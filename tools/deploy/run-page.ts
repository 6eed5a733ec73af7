import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { assembliesOf, type DeployRun } from './deploy-run.ts';
import { DeploymentError } from './errors.ts';
import { runCommand } from './tools/command.ts';

/** The page with the calls behind the commands. */
export const pageOfCalls = 'docs/how-to/without-the-command-line.md';

/** The environment that the pages deploy. */
const environmentOfPages = 'production';

type Operated = Pick<DeployRun, 'root' | 'directory' | 'environment' | 'env' | 'signal'>;

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

/**
 * The commands of a section: its `sh` blocks up to the next heading of the same level or above.
 *
 * @throws {DeploymentError}
 */
export function commandsOf(page: string, heading: string): readonly string[] {
  const tokens = new MarkdownIt().parse(page, {});
  const start = tokens.findIndex(({ content }, index) => {
    return tokens[index - 1]?.type === 'heading_open' && content === heading;
  });
  if (start < 0) throw new DeploymentError(`The page has no section "${heading}".`);
  const level = tokens[start - 1]?.tag ?? '';
  const length = tokens.slice(start + 1).findIndex(({ type, tag }) => type === 'heading_open' && tag <= level);
  const section = tokens.slice(start, length < 0 ? undefined : start + 1 + length);
  const commands = section.filter(({ type, info }) => type === 'fence' && info === 'sh').map(({ content }) => content);
  if (commands.length === 0) throw new DeploymentError(`The section "${heading}" has no commands.`);
  return commands;
}
