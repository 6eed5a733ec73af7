import { expect, it } from 'vitest';
import * as z from 'zod';
import { ApiError } from '#cli/command/command-error.ts';
import { createApiClient } from '#cli/deployment/api-client.ts';

/** Sends one request to an API that gives these answers, and returns its result with the number of requests and waits. */
async function send(...statuses: readonly number[]) {
  const left = [...statuses];
  let requests = 0;
  let waits = 0;
  const { send: sendOne } = createApiClient({
    origin: 'https://api.example',
    region: async () => 'eu-central-1',
    credentials: { accessKeyId: 'reader', secretAccessKey: 'secret' },
    wait: async () => {
      waits += 1;
    },
    fetch: async () => {
      requests += 1;
      const status = left.shift() ?? 200;
      return Response.json({ status }, { status });
    },
  });
  const result = await sendOne({ method: 'GET', path: '/' }, z.object({ status: z.number() })).catch(
    (error: unknown) => error,
  );
  return { result, requests, waits };
}

it.each([429, 500, 502, 503, 504])('repeats a request after %i, with a wait', async (status) => {
  expect(await send(status, status)).toEqual({ result: { status: 200 }, requests: 3, waits: 2 });
});

it('gives up after four requests, with the last answer', async () => {
  const { result, requests } = await send(503, 503, 503, 500, 200);
  expect(result).toBeInstanceOf(ApiError);
  expect(result).toMatchObject({ status: 500 });
  expect(requests).toBe(4);
});

it.each([400, 403, 404, 409, 410])('does not repeat a request after %i', async (status) => {
  const { result, requests } = await send(status);
  expect(result).toMatchObject({ status });
  expect(requests).toBe(1);
});

it.each([
  ['CredentialsProviderError', 'There are no valid AWS credentials: The SSO session has expired'],
  ['Error', 'The request was not signed: check the AWS credentials.'],
])('names the credentials where %s keeps them from signing a request', async (name, message) => {
  const expired = Object.assign(new Error('The SSO session has expired'), { name });
  const { send: sendOne } = createApiClient({
    origin: 'https://api.example',
    region: async () => 'eu-central-1',
    credentials: () => Promise.reject(expired),
    wait: async () => undefined,
    fetch: () => expect.unreachable('Nothing is signed.'),
  });
  await expect(sendOne({ method: 'GET', path: '/' }, z.unknown())).rejects.toThrow(
    `${message}\nNext: aws sts get-caller-identity`,
  );
});

it('names the credentials after 403, which an expired session gets too', async () => {
  expect((await send(403)).result).toMatchObject({
    message: expect.stringMatching(/Next: check that your AWS credentials have not expired .*, or allow your role/),
  });
});
