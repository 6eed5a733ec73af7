import { permissionsBoundary } from '#cli/policy/deployment/permissions-boundary.ts';
import { arnsOf } from '#cli/policy/deployment/policy.ts';
import { scopeOf } from '#tools/deploy/deployer.ts';
import type { Deployment } from '#tools/deploy/deployment.ts';
import { runPage } from '#tools/deploy/run-page.ts';

/** `cdk bootstrap` with the printed policies for CloudFormation, as docs/how-to/deploy.md says. */
export async function bootstrap(deployment: Deployment): Promise<string> {
  const script = await runPage(deployment, 'docs/how-to/deploy.md', 'Deploy with few permissions');
  const scope = scopeOf(deployment);
  // The emulator names the action by the call, as in the policies of the roles (adaptations.ts).
  const boundary = JSON.stringify(permissionsBoundary(scope)).replace('"sqs:SendMessage"', '$&,"sqs:SendMessageBatch"');
  const version = ['--policy-document', boundary, '--set-as-default'];
  await deployment.aws.run('iam', 'create-policy-version', '--policy-arn', arnsOf(scope).boundary, ...version);
  return script;
}
