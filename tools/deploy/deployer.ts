import type { PolicyScope } from '#cli/policy/deployment/policy.ts';
import { type DeploymentPolicy, deploymentPolicies } from '#cli/policy/deployment-policies.ts';
import { type DeployRun, oncePerRun } from './deploy-run.ts';
import { createCaller } from './signed-api.ts';
import { createAws } from './tools/aws-cli.ts';
import { createCdk } from './tools/cdk-cli.ts';

/** How the emulator names a log group, behind the name that AWS gives. */
const logGroupOfEmulator = (arn: string) =>
  arn.replace(/:log-group:(drawbridge-.*?)\*-/, ':log-group:/aws/cloudformation/$1*/');

/** The same deployment, operated by a user who has the printed policy `deployer` and nothing else (docs/explanation/emulators.md). */
export const asDeployer = oncePerRun((deployment) => createOperator(deployment, 'deployer'));

/** The same, by a user who has the printed policy `first-run` and nothing else. */
export const asFirstRunner = oncePerRun((deployment) => createOperator(deployment, 'first-run'));

/** Where the printed policies of a run hold. */
export function scopeOf({ target, environment }: Pick<DeployRun, 'target' | 'environment'>): PolicyScope {
  return { partition: 'aws', account: target.account, environment };
}

async function createOperator(deployment: DeployRun, policy: DeploymentPolicy): Promise<DeployRun> {
  const printed = deploymentPolicies[policy](scopeOf(deployment));
  const Statement = printed.Statement.map((statement) => ({
    ...statement,
    Resource: [statement.Resource].flat().map((arn) => (deployment.target.isEmulator ? logGroupOfEmulator(arn) : arn)),
  }));
  return operatedBy(deployment, await createCaller(deployment, policy, [{ ...printed, Statement }]));
}

/** The same deployment with the credentials of another. */
export function operatedBy(
  deployment: DeployRun,
  { accessKeyId, secretAccessKey, sessionToken }: OperatorCredentials,
): DeployRun {
  const { root, directory, signal } = deployment;
  const { AWS_SESSION_TOKEN: _, ...others } = deployment.env;
  const token = sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: sessionToken };
  const env = { ...others, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, ...token };
  return { ...deployment, env, aws: createAws({ directory, env, signal }), cdk: createCdk({ root, env, signal }) };
}

type OperatorCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};
