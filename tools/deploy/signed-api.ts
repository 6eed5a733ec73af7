import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod';
import { Sha256 } from '#package/client/signed-fetch.ts';
import type { Deployment } from './deployment.ts';

/** An answer of the deployed HTTP API. */
export type ApiAnswer = { readonly status: number; readonly json: unknown };

export type Caller = { readonly accessKeyId: string; readonly secretAccessKey: string };

const created = z.object({ AccessKey: z.object({ AccessKeyId: z.string(), SecretAccessKey: z.string() }) });

/** Creates a user who may do what the statements say, and nothing else. */
export async function createCaller(
  { aws }: Pick<Deployment, 'aws'>,
  name: string,
  statements: readonly object[],
): Promise<Caller> {
  await aws.run('iam', 'create-user', '--user-name', name);
  if (statements.length > 0) {
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: statements });
    const named = ['--user-name', name, '--policy-name', 'calls', '--policy-document', policy];
    await aws.run('iam', 'put-user-policy', ...named);
  }
  const { AccessKey } = await aws.read(created, 'iam', 'create-access-key', '--user-name', name);
  return { accessKeyId: AccessKey.AccessKeyId, secretAccessKey: AccessKey.SecretAccessKey };
}

export type ApiRequest = { readonly method: string; readonly path: string; readonly body?: unknown };

/** Calls the deployed HTTP API, signed by the caller, or unsigned without one. */
export async function callApi(
  { emulator }: Pick<Deployment, 'emulator'>,
  { apiUrl, caller }: { readonly apiUrl: string; readonly caller: Caller | undefined },
  { method, path, body }: ApiRequest,
): Promise<ApiAnswer> {
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
  const signed = caller === undefined ? request : await signerOf(caller, emulator.region).sign(request);
  const answer = await emulator.fetch(url, {
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
