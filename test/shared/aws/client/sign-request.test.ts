import { createHash, createHmac } from 'node:crypto';
import { HttpRequest } from '@smithy/core/transport';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSignRequest } from '#shared/aws/client/sign-request.ts';

/** The hash that the signer of the SDK asks for. */
class Sha256 {
  readonly #digest: ReturnType<typeof createHmac> | ReturnType<typeof createHash>;
  constructor(key?: unknown) {
    this.#digest = key === undefined ? createHash('sha256') : createHmac('sha256', key as Uint8Array);
  }
  update(data: Uint8Array | string): void {
    this.#digest.update(data);
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#digest.digest());
  }
  reset(): void {
    throw new Error('Not used.');
  }
}

const word = fc.stringMatching(/^[\w+/=-]{1,40}$/);
const headers = fc.dictionary(fc.stringMatching(/^x-[a-z-]{1,12}$/), fc.stringMatching(/^[!-~]{1,20}$/), {
  maxKeys: 5,
});

describe('signing a request', () => {
  it('signs any headers, body, day and credentials as the SDK does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ accessKeyId: word, secretAccessKey: word, sessionToken: fc.option(word, { nil: undefined }) }),
        fc.record({
          service: fc.constantFrom('sqs', 'dynamodb'),
          region: fc.constantFrom('eu-central-1', 'cn-north-1'),
        }),
        headers,
        fc.array(
          fc.record({
            body: fc.string({ unit: 'binary' }),
            time: fc.date({ noInvalidDate: true, min: new Date('2001-01-01'), max: new Date('2100-01-01') }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        async (credentials, { service, region }, given, requests) => {
          let time = new Date(0);
          const sign = createSignRequest(credentials, { service, region }, () => time);
          const { sessionToken, ...keys } = credentials;
          const signer = new SignatureV4({
            credentials: { ...keys, ...(sessionToken !== undefined && { sessionToken }) },
            service,
            region,
            sha256: Sha256,
            applyChecksum: false,
          });
          for (const request of requests) {
            time = request.time;
            const all = { ...given, host: 'sqs.example', 'content-type': 'application/x-amz-json-1.0' };
            const expected = await signer.sign(
              new HttpRequest({ method: 'POST', path: '/', hostname: 'sqs.example', headers: all, body: request.body }),
              { signingDate: time, signableHeaders: new Set(Object.keys(all)) },
            );
            expect(sign('/', all, request.body)).toEqual(expected.headers);
          }
        },
      ),
    );
  });
});
