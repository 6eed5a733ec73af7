import { setTimeout as wait } from 'node:timers/promises';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod';
import { Sha256 } from '#package/client/signed-fetch.ts';
import type { DeployRun } from './deploy-run.ts';

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

export type ApiRequest = { readonly method: string; readonly path: string; readonly body?: unknown };

/** Calls the deployed HTTP API, signed by the caller, or unsigned without one. */
export async function callApi(
  { target }: Pick<DeployRun, 'target'>,
  { apiUrl, caller }: { readonly apiUrl: string; readonly caller: Caller | undefined },
  { method, path, body }: ApiRequest,
): Promise<JsonAnswer> {
  const url = new URL(`${apiUrl}${path}`);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = { host: url.host, ...(text !== undefined && { 'content-type': 'application/json' }) };
  const request = {
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    ...(text !== undefined && { body: text }),
  };
  const signed = caller === undefined ? request : await signerOf(caller, target.region).sign(request);
  const answer = await target.fetch(url, {
    method,
    headers: signed.headers,
    ...(text !== undefined && { body: text }),
  });
  const answered = await answer.text();
  return { status: answer.status, json: answered === '' ? undefined : parse(answered) };
}

function signerOf(credentials: Caller, region: string): SignatureV4 {
  return new SignatureV4({ service: 'execute-api', region, credentials, sha256: Sha256 });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
