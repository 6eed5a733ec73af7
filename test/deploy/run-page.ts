import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembliesOf, type Deployment } from './deployment.ts';
import { commandsOf } from './page-commands.ts';
import { runCommand } from './tools/command.ts';

/** The environment that the pages deploy. */
const environmentOfPages = 'production';

/** Runs the commands of a page's sections in one shell, as an operator would, in this run's environment. Returns what was run. */
export async function runPage(
  { root, directory, environment, env }: Pick<Deployment, 'root' | 'directory' | 'environment' | 'env'>,
  page: string,
  headings: string | readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [headings].flat().flatMap((heading) => commandsOf(text, heading));
  const script = blocks.join('').replaceAll(environmentOfPages, environment);
  const { adapted } = assembliesOf({ directory });
  await runCommand('sh', ['-eu', '-c', script], {
    cwd: directory,
    env: { ...env, ...variables, ADAPTED_ASSEMBLY: adapted },
  });
  return script.trimEnd();
}
