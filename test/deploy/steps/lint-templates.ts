import { globSync } from 'node:fs';
import * as z from 'zod';
import { assembliesOf, type Deployment, DeploymentError } from '#test/deploy/deployment.ts';
import { CommandError, runCommand } from '#test/deploy/tools/command.ts';

/** Rules of cfn-lint that say nothing about these templates, each with its reason. */
const ignored: Readonly<Record<string, string>> = {
  W3005: 'the CDK writes DependsOn for the role that a function already names',
  W6001: 'the service stack outputs the ARN of a secret of the data stack, for the commands of the how-to pages',
};

const findings = z.array(
  z.object({
    Rule: z.object({ Id: z.string() }),
    Message: z.string(),
    Location: z.object({ Path: z.array(z.union([z.string(), z.number()])).nullish() }),
  }),
);

/** cfn-lint finds nothing in the unchanged templates but what has a reason. */
export async function lintTemplates({ root, env, ...deployment }: Deployment): Promise<string> {
  const { synthesized } = assembliesOf(deployment);
  const templates = globSync('*.template.json', { cwd: synthesized }).map((file) => `${synthesized}/${file}`);
  const all = findings.parse(JSON.parse(await lint(['--format', 'json', ...templates], { cwd: root, env })));
  const counted = Map.groupBy(all, ({ Rule }) => Rule.Id);
  const left = all.filter(({ Rule }) => !Object.hasOwn(ignored, Rule.Id));
  if (left.length > 0)
    throw new DeploymentError(
      left.map(({ Rule, Message, Location }) => `${Rule.Id} ${Message} (${Location.Path?.join('/')})`).join('\n'),
    );
  const accepted = [...counted].map(([id, { length }]) => `- ${length} of ${id}: ${ignored[id]}`);
  return ['0 findings without a reason; with a reason:', ...accepted].join('\n');
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
