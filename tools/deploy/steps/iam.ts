import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type DeployRun, findResource, readOutputs, resourcesOfType, until } from '#tools/deploy/deploy-run.ts';
import { asDeployer } from '#tools/deploy/deployer.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { type Caller, callApi, createCaller } from '#tools/deploy/signed-api.ts';

/** The name of the error with which AWS refuses a call. */
const refusal = 'AccessDenied';

const policy = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Deny', Action: 'dynamodb:*', Resource: '*' }],
});

/** Shows that the emulator enforces policies: of the deployer, of the callers of the API, and of the roles of the functions. */
export async function checkIam(deployment: DeployRun): Promise<string> {
  const { aws, target } = deployment;
  const { ApiUrl } = await readOutputs(deployment);
  const path = `/entities/order/${randomUUID()}`;
  const ask = async (caller?: Caller) => (await callApi(deployment, { path }, caller)).status;
  expectStatus('an unsigned query', (await target.fetch(`${ApiUrl}${path}`)).status, 403);
  expectStatus('a caller without a policy', await ask(await createCaller(deployment, 'stranger', [])), 403);
  expectStatus('an unknown order', await ask(), 404);

  const role = await findResource(deployment, 'service', 'AWS::IAM::Role', 'WebhookIngestQueryRole');
  const named = ['--role-name', role, '--policy-name', 'denied'];
  await aws.run('iam', 'put-role-policy', ...named, '--policy-document', policy);
  await until('A query whose role is denied DynamoDB gets 503', async () => (await ask()) === 503);
  await aws.run('iam', 'delete-role-policy', ...named);
  await until('The query works again', async () => (await ask()) === 404);
  const deployer = await asDeployer(deployment);
  const refused = await deployer.aws.run('dynamodb', 'list-tables').then(
    () => undefined,
    (error: unknown) => String(error),
  );
  if (refused?.includes(refusal) !== true)
    throw new DeploymentError('The deployer may list tables, which the generated policy does not allow.');
  return 'deployer refused, unsigned 403, no policy 403, allowed 404, role denied DynamoDB 503, allowed again 404';
}

function expectStatus(who: string, status: number, expected: number): void {
  if (status !== expected) throw new DeploymentError(`The API answered ${status} to ${who}, not ${expected}.`);
}

const found = z.object({ events: z.array(z.object({ message: z.string() })) });

/** Shows that no function was refused a call, except the query whose role was denied DynamoDB. */
export async function checkPermissions(deployment: DeployRun): Promise<string> {
  const { aws } = deployment;
  const logGroups = await resourcesOfType(deployment, 'service', 'AWS::Logs::LogGroup');
  const refusedIn: string[] = [];
  for (const { PhysicalResourceId: name } of logGroups) {
    const pattern = ['--filter-pattern', `"${refusal}"`];
    const { events } = await aws.read(found, 'logs', 'filter-log-events', '--log-group-name', name, ...pattern);
    if (events.length > 0) refusedIn.push(name);
  }
  const [only = '', ...others] = refusedIn;
  if (!only.includes('WebhookIngestQuery') || others.length > 0)
    throw new DeploymentError(`Calls were refused in ${refusedIn.join(', ') || 'no log group'}.`);
  return `${logGroups.length} log groups, a refused call only where the role was denied DynamoDB`;
}
