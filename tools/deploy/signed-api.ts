import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { createSignedFetch } from '#package/client/signed-fetch.ts';
import { parseJson } from '#shared/parse-json.ts';
import { type DeployRun, oncePerRun, readOutputs } from './deploy-run.ts';

/** An answer of the deployed HTTP API. */
export type JsonAnswer = { readonly status: number; readonly json: unknown };

export type Caller = { readonly accessKeyId: string; readonly secretAccessKey: string };

const created = z.object({ AccessKey: z.object({ AccessKeyId: z.string(), SecretAccessKey: z.string() }) });

/** The name of a user that a run creates: it has the name of the environment, by which the removal finds it. */
export const userNameOf = ({ environment }: Pick<DeployRun, 'environment'>, name: string) =>
  `drawbridge-${environment}-${name}`;

/** Creates a user who may do what the policies say, and nothing else. */
export async function createCaller(
  { aws, target, environment }: Pick<DeployRun, 'aws' | 'target' | 'environment'>,
  name: string,
  policies: readonly object[],
): Promise<Caller> {
  const userName = userNameOf({ environment }, name);
  const user = ['--user-name', userName];
  await aws.run('iam', 'create-user', ...user);
  for (const [index, policy] of policies.entries()) {
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

export type ApiRequest = { readonly method?: string; readonly path: string; readonly body?: unknown };

/** A system of the partner, which may call every route of the API and nothing else of AWS. */
const partnerOf = oncePerRun((deployment) => {
  const { region, account } = deployment.target;
  const Resource = `arn:aws:execute-api:${region}:${account}:*/*/*/*`;
  const Statement = [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource }];
  return createCaller(deployment, 'partner', [{ Version: '2012-10-17', Statement }]);
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
