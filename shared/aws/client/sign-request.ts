import { createHmac, hash } from 'node:crypto';

export type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined;
};

/** Whom a signature is for: the name of the service in signatures, and the region. */
export type SigningScope = { readonly service: string; readonly region: string };

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** Adds the headers of a signature to those of a POST to this path. */
export type SignRequest = (path: string, headers: Headers, body: string) => Headers;

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * Signs requests with Signature Version 4. All given headers are signed, and the body is signed by its digest.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 *
 * The signing key changes once a day: it is derived once, where the SDK looks it up for each request.
 *
 * @param now must be within some minutes of the clock of AWS
 */
export function createSignRequest(
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  { service, region }: SigningScope,
  now: () => Date,
): SignRequest {
  let key: { readonly day: string; readonly bytes: Buffer } | undefined;

  function keyOf(day: string): Buffer {
    if (key?.day !== day) {
      const parts = [day, region, service, 'aws4_request'];
      const bytes = parts.reduce((secret, part) => hmac(secret, part).digest(), Buffer.from(`AWS4${secretAccessKey}`));
      key = { day, bytes };
    }
    return key.bytes;
  }

  return (path, headers, body) => {
    // 20260102T030405Z
    const time = now()
      .toISOString()
      .replaceAll(/[-:]|\.\d+/g, '');
    const day = time.slice(0, 8);
    const dated: Headers = {
      ...headers,
      'x-amz-date': time,
      ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
    };
    const names = Object.keys(dated).toSorted();
    const signedHeaders = names.join(';');
    const lines = names.map((name) => `${name}:${dated[name]}\n`).join('');
    const request = `POST\n${path}\n\n${lines}\n${signedHeaders}\n${hash('sha256', body)}`;
    const scope = `${day}/${region}/${service}/aws4_request`;
    const signature = hmac(keyOf(day), `${algorithm}\n${time}\n${scope}\n${hash('sha256', request)}`).digest('hex');
    return {
      ...dated,
      authorization: `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
    };
  };
}

function hmac(key: Buffer, text: string) {
  return createHmac('sha256', key).update(text);
}
