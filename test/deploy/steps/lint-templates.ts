import { globSync } from 'node:fs';
import * as z from 'zod';
import { assembliesOf, type Deployment, DeploymentError } from '#test/deploy/deployment.ts';
import { runScanner } from '#test/deploy/tools/command.ts';

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
  const all = findings.parse(
    JSON.parse(await runScanner('cfn-lint', ['--format', 'json', ...templates], { cwd: root, env })),
  );
  if (all.length > 0)
    throw new DeploymentError(
      all.map(({ Rule, Message, Location }) => `${Rule.Id} ${Message} (${Location.Path?.join('/')})`).join('\n'),
    );
  return `0 errors and 0 warnings in ${templates.length} templates`;
}
