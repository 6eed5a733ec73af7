import { globSync } from 'node:fs';
import * as z from 'zod';
import { assembliesOf, type Deployment, DeploymentError } from '#test/deploy/deployment.ts';
import { CommandError, runCommand } from '#test/deploy/tools/command.ts';

const findings = z.array(
  z.object({
    Rule: z.object({ Id: z.string() }),
    Message: z.string(),
    Location: z.object({ Path: z.array(z.union([z.string(), z.number()])).nullish() }),
  }),
);

/** cfn-lint finds nothing in the unchanged templates. */
export async function lintTemplates({ root, env, ...deployment }: Deployment): Promise<string> {
  const { synthesized } = assembliesOf(deployment);
  const templates = globSync('*.template.json', { cwd: synthesized }).map((file) => `${synthesized}/${file}`);
  const all = findings.parse(JSON.parse(await lint(['--format', 'json', ...templates], { cwd: root, env })));
  if (all.length > 0)
    throw new DeploymentError(
      all.map(({ Rule, Message, Location }) => `${Rule.Id} ${Message} (${Location.Path?.join('/')})`).join('\n'),
    );
  return `0 errors and 0 warnings in ${templates.length} templates`;
}

/** cfn-lint ends with an exit code above 0 when it has findings. */
async function lint(args: readonly string[], options: Parameters<typeof runCommand>[2]): Promise<string> {
  try {
    return await runCommand('cfn-lint', args, options);
  } catch (error) {
    if (error instanceof CommandError && error.stdout.startsWith('[')) return error.stdout;
    throw error;
  }
}
