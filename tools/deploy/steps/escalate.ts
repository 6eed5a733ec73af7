import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { arnsOf, partitions } from '#cli/policy/deployment/policy.ts';
import { deploymentPolicies } from '#cli/policy/deployment-policies.ts';
import { type DeployRun, findResource, readOutputs } from '#tools/deploy/deploy-run.ts';
import { operatedBy, scopeOf } from '#tools/deploy/deployer.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { everything, policyCases } from '#tools/deploy/policy-cases.ts';
import { createCaller, userNameOf } from '#tools/deploy/signed-api.ts';
import { runCommand } from '#tools/deploy/tools/command.ts';

const programs = join(import.meta.dirname, '../tools/programs');

/**
 * Tries to become an administrator with the policies of CloudFormation, and with a role that has the boundary. The emulator enforces
 * neither for CloudFormation itself: a user with the policies makes the calls.
 */
export async function escalate(deployment: DeployRun): Promise<string> {
  // An account has no evaluator for policies that no caller has: its calls below are what counts.
  const evaluated = deployment.target.isEmulator
    ? `${await evaluateCases(deployment)} cases as expected by the emulator's evaluator; `
    : '';
  const byPolicies = await tryAsCloudFormation(deployment);
  const byRole = await tryWithBoundary(deployment);
  return `${evaluated}refused: ${[...byPolicies, ...byRole].join(', ')}`;
}

/** Has the emulator's evaluator judge what a test of `npm test` judges, in every partition. Returns the number of cases. */
async function evaluateCases(deployment: DeployRun): Promise<number> {
  const { bin, directory, env } = deployment;
  const calls = partitions.flatMap((partition) => {
    const scope = { ...scopeOf(deployment), partition };
    return policyCases(scope).map(({ policies, isBounded, ...call }) => {
      const printed = policies.map((name) => deploymentPolicies[name](scope));
      return { ...call, policies: isBounded ? [everything] : printed, boundaries: isBounded ? printed : [] };
    });
  });
  const file = join(directory, 'policy-cases.json');
  writeFileSync(file, JSON.stringify(calls));
  const program = join(programs, 'evaluate-policies.py');
  const answers = z
    .array(z.boolean())
    .length(calls.length)
    .parse(JSON.parse(await runCommand(join(bin, 'python'), [program, file], { cwd: directory, env })));
  const wrong = calls.filter(({ isAllowed }, index) => answers[index] !== isAllowed);
  if (wrong.length > 0)
    throw new DeploymentError(
      `Otherwise than expected: ${wrong.map(({ name, action }) => `${name} (${action})`).join(', ')}.`,
    );
  return calls.length;
}

type Attempts = Readonly<Record<string, readonly string[]>>;

async function tryAsCloudFormation(deployment: DeployRun): Promise<readonly string[]> {
  const scope = scopeOf(deployment);
  const { boundary, global, managed } = arnsOf(scope);
  const role = await findResource(deployment, 'service', 'AWS::IAM::Role');
  const table = await findResource(deployment, 'data', 'AWS::DynamoDB::Table');
  const queue = await findResource(deployment, 'service', 'AWS::SQS::Queue');
  const { accessKeyId, secretAccessKey } = await createCaller(deployment, 'cloudformation', []);
  for (const name of ['data', 'service', 'roles'])
    await deployment.aws.run(
      'iam',
      'attach-user-policy',
      ...['--user-name', userNameOf(deployment, 'cloudformation')],
      ...['--policy-arn', global('iam', `policy/drawbridge-${scope.environment}-execution-${name}`)],
    );
  const caller = operatedBy(deployment, { accessKeyId, secretAccessKey });
  const trust = JSON.stringify({ Version: '2012-10-17', Statement: [] });
  await wait(deployment.target.iamDelay);
  await expectAllowed(caller, {
    'read a role': ['iam', 'get-role', '--role-name', role],
    'describe a table': ['dynamodb', 'describe-table', '--table-name', table],
  });
  return expectRefused(caller, {
    'create a role without the boundary': [
      ...['iam', 'create-role', '--assume-role-policy-document', trust],
      ...['--role-name', `drawbridge-${scope.environment}-service-escalated`],
    ],
    'remove the boundary': ['iam', 'delete-role-permissions-boundary', '--role-name', role],
    'change the boundary': [
      ...['iam', 'create-policy-version', '--policy-arn', boundary, '--set-as-default'],
      ...['--policy-document', JSON.stringify(everything)],
    ],
    'attach AdministratorAccess': [
      ...['iam', 'attach-role-policy', '--role-name', role, '--policy-arn', managed('AdministratorAccess')],
    ],
    'scan a table': ['dynamodb', 'scan', '--table-name', table],
    'receive a message': ['sqs', 'receive-message', '--queue-url', queue],
    'read a secret': [
      ...['secretsmanager', 'get-secret-value', '--secret-id', (await readOutputs(deployment)).PlatformCredentialsArn],
    ],
  });
}

const assumed = z.object({
  Credentials: z.object({ AccessKeyId: z.string(), SecretAccessKey: z.string(), SessionToken: z.string() }),
});

/** A role with the boundary, whose own policy allows everything. */
async function tryWithBoundary(deployment: DeployRun): Promise<readonly string[]> {
  const { aws } = deployment;
  const { boundary, global } = arnsOf(scopeOf(deployment));
  const table = await findResource(deployment, 'data', 'AWS::DynamoDB::Table');
  const trust = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { AWS: global('iam', 'root') }, Action: 'sts:AssumeRole' }],
  };
  const name = userNameOf(deployment, 'bounded');
  const named = ['--role-name', name];
  const made = ['--assume-role-policy-document', JSON.stringify(trust), '--permissions-boundary', boundary];
  await aws.run('iam', 'create-role', ...named, ...made);
  const policy = ['--policy-name', 'everything', '--policy-document', JSON.stringify(everything)];
  await aws.run('iam', 'put-role-policy', ...named, ...policy);
  await wait(deployment.target.iamDelay);
  const session = ['--role-arn', global('iam', `role/${name}`), '--role-session-name', 'escalation'];
  const { Credentials } = await aws.read(assumed, 'sts', 'assume-role', ...session);
  const caller = operatedBy(deployment, {
    accessKeyId: Credentials.AccessKeyId,
    secretAccessKey: Credentials.SecretAccessKey,
    sessionToken: Credentials.SessionToken,
  });
  await expectAllowed(caller, {
    'scan a table of the environment': ['dynamodb', 'scan', '--table-name', table],
  });
  const refused = await expectRefused(caller, {
    'create a user from a role with the boundary': [
      ...['iam', 'create-user', '--user-name', userNameOf(deployment, 'intruder')],
    ],
    'list the tables from a role with the boundary': ['dynamodb', 'list-tables'],
    'list the buckets from a role with the boundary': ['s3api', 'list-buckets'],
  });
  await aws.run('iam', 'delete-role-policy', ...named, '--policy-name', 'everything');
  await aws.run('iam', 'delete-role', ...named);
  return refused;
}

async function expectAllowed({ aws }: DeployRun, attempts: Attempts): Promise<void> {
  for (const args of Object.values(attempts)) await aws.run(...args);
}

/** @returns what was refused. @throws {DeploymentError} for what was not */
async function expectRefused({ aws }: DeployRun, attempts: Attempts): Promise<readonly string[]> {
  for (const [name, args] of Object.entries(attempts)) {
    const refusal = await aws.run(...args).then(
      () => 'allowed',
      (error: unknown) => String(error),
    );
    if (!/AccessDenied|not authorized/.test(refusal))
      throw new DeploymentError(`To ${name} was not refused: ${refusal}`);
  }
  return Object.keys(attempts);
}
