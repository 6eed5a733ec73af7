import { join } from 'node:path';
import * as z from 'zod';
import { type DeployRun, scannedTemplates } from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { runScanner } from '#tools/deploy/tools/command.ts';
import { installPythonTools } from '#tools/deploy/tools/python-tools.ts';

const findings = z.array(
  z.object({
    Rule: z.object({ Id: z.string() }),
    Message: z.string(),
    Location: z.object({ Path: z.array(z.union([z.string(), z.number()])).nullish() }),
  }),
);

/** cfn-lint finds nothing in the unchanged templates, with default settings and with every setting. */
export async function lintTemplates({ root, env, ...deployment }: DeployRun): Promise<string> {
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

const check = z.object({ check_id: z.string(), check_name: z.string(), resource: z.string() });
const report = z.object({
  summary: z.object({ passed: z.number(), parsing_errors: z.number() }),
  results: z.object({
    failed_checks: z.array(check),
    skipped_checks: z.array(check.extend({ check_result: z.object({ suppress_comment: z.string() }) })),
  }),
});

/** checkov finds nothing in the unchanged templates, with default settings and with every setting, but what has its reason in them. */
export async function scanTemplates({ root, env, ...deployment }: DeployRun): Promise<string> {
  const tools = await installPythonTools({ root, env }, 'scan');
  if ('missing' in tools) throw new DeploymentError(`The scanner needs ${tools.missing}.`);
  const args = [
    '--file',
    ...scannedTemplates(deployment),
    '--framework',
    'cloudformation',
    '--compact',
    '--skip-download',
    '--output',
    'json',
  ];
  const { summary, results } = report.parse(
    JSON.parse(await runScanner(join(tools.bin, 'checkov'), args, { cwd: root, env })),
  );
  if (summary.passed === 0 || summary.parsing_errors > 0)
    throw new DeploymentError('checkov could not read the templates: run it with --keep and read its output.');
  if (results.failed_checks.length > 0)
    throw new DeploymentError(
      results.failed_checks.map((one) => `${one.check_id} ${one.check_name} (${one.resource})`).join('\n'),
    );
  const reasons = Map.groupBy(results.skipped_checks, (one) => one.check_id);
  const skipped = [...reasons].map(([id, all]) => {
    const texts = new Set(all.map(({ check_result }) => check_result.suppress_comment));
    return `- ${all.length} of ${id}: ${[...texts].join(' / ')}`;
  });
  return [`${summary.passed} checks passed, 0 failed; skipped with a reason:`, ...skipped].join('\n');
}
