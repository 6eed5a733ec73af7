import * as z from 'zod';
import { type Deployment, DeploymentError, scannedTemplates } from '#tools/deploy/deployment.ts';
import { runScanner } from '#tools/deploy/tools/command.ts';

const findings = z.array(
  z.object({
    Rule: z.object({ Id: z.string() }),
    Message: z.string(),
    Location: z.object({ Path: z.array(z.union([z.string(), z.number()])).nullish() }),
  }),
);

/** cfn-lint finds nothing in the unchanged templates, with default settings and with every setting. */
export async function lintTemplates({ root, env, ...deployment }: Deployment): Promise<string> {
  const templates = scannedTemplates(deployment);
  const all = findings.parse(
    JSON.parse(await runScanner('cfn-lint', ['--format', 'json', ...templates], { cwd: root, env })),
  );
  if (all.length > 0)
    throw new DeploymentError(
      all.map(({ Rule, Message, Location }) => `${Rule.Id} ${Message} (${Location.Path?.join('/')})`).join('\n'),
    );
  return `0 errors and 0 warnings in ${templates.length} templates`;
}
