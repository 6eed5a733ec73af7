import { setImmediate } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientOptions } from '#shared/lambda/lambda-process.ts';
import { type AwsReply, startAwsServer } from '#test/shared/aws/aws-server.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';

let server: Awaited<ReturnType<typeof startAwsServer>>;
beforeAll(async () => {
  server = await startAwsServer();
});
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ENDPOINT_URL', server.origin);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIA');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterEach(() => vi.unstubAllEnvs());

const send = (sqs: SQSClient) => sqs.send(new SendMessageCommand({ QueueUrl: `${server.origin}/q`, MessageBody: 'b' }));
const sqsWith = (maxAttempts: number, requestTimeout = 1_000) =>
  new SQSClient(clientOptions(requestTimeout, maxAttempts));

describe('a client of the SDK with clientOptions', () => {
  it('sends one request after the other over one connection', async () => {
    server.replyWith(() => 'sent');
    const sqs = sqsWith(1);
    for (const _ of [1, 2, 3]) expect(await send(sqs)).toMatchObject({ MessageId: 'm' });
    expect(new Set(server.requests.map(({ port }) => port)).size).toBe(1);
  });

  it('repeats a request whose connection breaks', async () => {
    server.replyWith((attempt) => (attempt === 1 ? 'close' : 'sent'));
    expect(await send(sqsWith(2))).toMatchObject({ MessageId: 'm' });
    expect(server.requests).toHaveLength(2);
  });

  it('repeats a request on a new connection after the server closed the kept one while the function was frozen', async () => {
    server.replyWith(() => 'sent');
    const sqs = sqsWith(2);
    await send(sqs);
    // Then the connection is back in the pool. The client sends before its event loop can see that the connection was closed.
    await setImmediate();
    server.closeConnections();
    expect((await send(sqs)).$metadata.attempts).toBe(2);
    expect(new Set(server.requests.map(({ port }) => port)).size).toBe(2);
  });

  it('repeats a request whose answer breaks off in the middle of its body', async () => {
    server.replyWith((attempt) => (attempt === 1 ? 'close within the body' : 'sent'));
    expect(await send(sqsWith(2))).toMatchObject({ MessageId: 'm' });
    expect(server.requests).toHaveLength(2);
  });

  it.each<AwsReply>(['hang', 'hang within the body'])(
    'gives up an attempt without its answer in time, and throws after the last one: %s',
    async (reply) => {
      server.replyWith(() => reply);
      await expect(send(sqsWith(2, 50))).rejects.toMatchObject({ name: 'TimeoutError' });
      expect(server.requests).toHaveLength(2);
    },
  );

  it('calls the FIPS endpoint of SQS where the environment asks for it, whatever the URL of the queue', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', undefined);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_USE_FIPS_ENDPOINT', 'true');
    const called: string[] = [];
    const handle = ({ hostname }: { readonly hostname: string }) => {
      called.push(hostname);
      return Promise.reject(new Error('not sent'));
    };
    const sqs = new SQSClient({ ...clientOptions(1_000, 1), requestHandler: { handle } });
    const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/111122223333/q';
    await expect(sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'b' }))).rejects.toThrow('not sent');
    expect(called).toEqual(['sqs-fips.us-east-1.amazonaws.com']);
  });

  it('reads credentials from the environment only', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
    await expect(send(sqsWith(1))).rejects.toMatchObject({ name: 'CredentialsProviderError' });
  });

  it('throws errors of AWS that are logged with their name, request id and message', async () => {
    server.replyWith(() => ({
      status: 400,
      headers: { 'x-amzn-requestid': 'c2ab1a0c-0b9e-5a6e-8f2c-41a3' },
      body: '{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"The specified queue does not exist."}',
    }));
    const lines = captureLines();
    await send(sqsWith(1)).catch((error: unknown) => lines.log.error('request failed', { error }));
    expect(lines.objects()[0]?.['error']).toMatchObject({
      name: 'QueueDoesNotExist',
      message: 'The specified queue does not exist.',
      requestId: 'c2ab1a0c-0b9e-5a6e-8f2c-41a3',
    });
  });
});
