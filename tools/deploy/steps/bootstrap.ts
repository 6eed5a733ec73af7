import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from '#tools/deploy/deployment.ts';
import { runPage } from '#tools/deploy/run-page.ts';

/** `cdk bootstrap` with the generated policies for CloudFormation, as docs/how-to/deploy.md says. */
export function bootstrap(deployment: Deployment): Promise<string> {
  // The page names the policies from the root of the repository.
  symlinkSync(join(deployment.root, 'docs'), join(deployment.directory, 'docs'));
  return runPage(deployment, 'docs/how-to/deploy.md', 'Deploy with few permissions');
}
