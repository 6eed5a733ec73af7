import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { createSignedFetch } from '#package/client/signed-fetch.ts';
import { parseJson } from '#shared/parse-json.ts';
import { type DeployRun, oncePerRun, readOutputs } from './deploy-run.ts';

/** An answer of the deployed HTTP API. */
export type JsonAnswer = { readonly status: number; readonly json: unknown };

export type Caller = { readonly accessKeyId: string; readonly secretAccessKey: string };

const created = z.object({ AccessKey: z.object({ AccessKeyId: z.string(), SecretAccessKey: z.string() }) });

/** What IAM takes in a managed policy, in characters. */
const maxPolicyLength = 6_144;

/** The name of a user that a run creates: it has the name of the environment, by which the removal finds it. */
export const userNameOf = ({ environment }: Pick<DeployRun, 'environment'>, name: string) =>
  `drawbridge-${environment}-${name}`;

/** Creates a user who may do what the statements say, and nothing else. */
export async function createCaller(
  { aws, target, environment }: Pick<DeployRun, 'aws' | 'target' | 'environment'>,
  name: string,
  statements: readonly object[],
): Promise<Caller> {
  const userName = userNameOf({ environment }, name);
  const user = ['--user-name', userName];
  await aws.run('iam', 'create-user', ...user);
  for (const [index, policy] of policiesOf(statements).entries()) {
    const policyName = `${userName}-${index}`;
    const document = JSON.stringify(policy);
    await aws.run('iam', 'create-policy', '--policy-name', policyName, '--policy-document', document);
    const policyArn = `arn:aws:iam::${target.account}:policy/${policyName}`;
    await aws.run('iam', 'attach-user-policy', ...user, '--policy-arn', policyArn);
  }
  const { AccessKey } = await aws.read(created, 'iam', 'create-access-key', ...user);
  await wait(target.iamDelay);
  return { accessKeyId: AccessKey.AccessKeyId, secretAccessKey: AccessKey.SecretAccessKey };
}

/** Policies with all statements, each as long as IAM takes it. */
export function policiesOf(statements: readonly object[]): readonly object[] {
  const groups: object[][] = [];
  const written = (some: readonly object[]) => ({ Version: '2012-10-17', Statement: some });
  for (const statement of statements) {
    const last = groups.at(-1);
    if (last !== undefined && JSON.stringify(written([...last, statement])).length <= maxPolicyLength)
      last.push(statement);
    else groups.push([statement]);
  }
  return groups.map(written);
}

export type ApiRequest = { readonly method?: string; readonly path: string; readonly body?: unknown };

/** A system of the partner, which may call every route of the API and nothing else of AWS. */
const partnerOf = oncePerRun((deployment) => {
  const { region, account } = deployment.target;
  const Resource = `arn:aws:execute-api:${region}:${account}:*/*/*/*`;
  return createCaller(deployment, 'partner', [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource }]);
});

/** Calls the deployed HTTP API. @param caller who signs: by default a system of the partner */
export async function callApi(
  deployment: DeployRun,
  { method = 'GET', path, body }: ApiRequest,
  caller?: Caller,
): Promise<JsonAnswer> {
  const { ApiUrl } = await readOutputs(deployment);
  const { region, fetch } = deployment.target;
  const credentials = caller ?? (await partnerOf(deployment));
  const send = createSignedFetch({ region, credentials, fetch });
  const answer = await send(method, new URL(`${ApiUrl}${path}`), body === undefined ? undefined : JSON.stringify(body));
  const text = await answer.text();
  return { status: answer.status, json: parseJson(text) ?? text };
}
