import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

type SignerOptions = ConstructorParameters<typeof SignatureV4>[0];

export type SignedFetchOptions = Pick<SignerOptions, 'region' | 'credentials'> & { readonly fetch: typeof fetch };

export type SignedFetch = (method: string, url: URL, body?: string, signal?: AbortSignal) => Promise<Response>;

/** The AWS credentials at hand could not sign a request: there are none, or they have expired. Nothing was sent. */
export class AwsCredentialsError extends Error {
  override readonly name = 'AwsCredentialsError';
  readonly isRetryable = false;
}

/** Sends requests to API Gateway, each signed with the AWS credentials at hand. */
export function createSignedFetch({ region, credentials, fetch }: SignedFetchOptions): SignedFetch {
  const signer = new SignatureV4({ service: 'execute-api', region, credentials, sha256: Sha256 });
  return async (method, url, body, signal) => {
    const content = body === undefined ? {} : { body };
    const request = {
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { host: url.host, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...content,
    };
    const signed = await signer.sign(request).catch((cause: unknown) => {
      throw new AwsCredentialsError('The request was not signed: check the AWS credentials.', { cause });
    });
    const { host: _, ...headers } = signed.headers;
    // The session token is in the headers: it goes to no other address.
    return fetch(url, { method, headers, redirect: 'error', ...content, ...(signal !== undefined && { signal }) });
  };
}

/** The hash that the signer of AWS requests asks for, by Node's own. */
export class Sha256 {
  readonly #hash: { update: (data: Uint8Array) => unknown; digest: () => Buffer };

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }

  reset(): void {
    throw new TypeError('The signer makes a new hash for each text.');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
