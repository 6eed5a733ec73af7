import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CredentialsError } from '#shared/aws/client/aws-client.ts';
import { TimeoutError } from '#shared/aws/client/http-post.ts';
import { SendMessageCommand, SQSClient } from '#shared/aws/client/sqs.ts';
import { type AwsReply, startAwsServer } from './aws-server.ts';

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

const command = new SendMessageCommand({ QueueUrl: 'q', MessageBody: 'b' });
const sqsWith = (maxAttempts: number, requestTimeout = 1_000) =>
  new SQSClient({ requestHandler: { connectionTimeout: 1_000, requestTimeout }, maxAttempts });

describe('a client that stands in for the SDK', () => {
  it('sends one request after the other over one connection', async () => {
    server.replyWith(() => ({ body: '{"MessageId":"m"}' }));
    const sqs = sqsWith(1);
    for (const _ of [1, 2, 3]) expect(await sqs.send(command)).toEqual({ MessageId: 'm' });
    expect(new Set(server.requests.map(({ port }) => port)).size).toBe(1);
  });

  it('repeats a request whose connection breaks, and one that finds its connection closed', async () => {
    server.replyWith((attempt) => (attempt === 2 ? 'close' : { body: '{"MessageId":"m"}' }));
    const sqs = sqsWith(2);
    for (const _ of [1, 2]) expect(await sqs.send(command)).toEqual({ MessageId: 'm' });
    expect(server.requests).toHaveLength(3);
  });

  it.each<AwsReply>(['hang', 'hang within the body'])(
    'gives up an attempt without its answer in time, and throws after the last one: %s',
    async (reply) => {
      server.replyWith(() => reply);
      await expect(sqsWith(2, 50).send(command)).rejects.toBeInstanceOf(TimeoutError);
      expect(server.requests).toHaveLength(2);
    },
  );

  it('takes half an answer for none', async () => {
    server.replyWith((attempt) => (attempt === 1 ? 'close within the body' : { body: '{"MessageId":"m"}' }));
    expect(await sqsWith(2).send(command)).toEqual({ MessageId: 'm' });
    expect(server.requests).toHaveLength(2);
  });

  it('names no refusal after what AWS says beyond the name', async () => {
    server.replyWith(() => ({ status: 400, headers: { 'x-amzn-errortype': 'Wrong:http://x/' }, body: '<html>' }));
    await expect(sqsWith(1).send(command)).rejects.toMatchObject({
      name: 'Wrong',
      message: 'AWS answered with status 400.',
    });
  });

  it('throws the error of the connection where none can be made', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:9');
    await expect(sqsWith(1).send(command)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('says which variables are missing where there are no credentials', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
    await expect(sqsWith(1).send(command)).rejects.toBeInstanceOf(CredentialsError);
  });

  it('uses the connection that it opened ahead, and another one where that was closed', async () => {
    server.replyWith(() => ({ body: '{"MessageId":"m"}' }));
    const requestHandler = { connectionTimeout: 1_000, requestTimeout: 1_000, connectsAhead: true };
    for (const isClosed of [false, true]) {
      const before = server.connections();
      const sqs = new SQSClient({ requestHandler });
      await vi.waitFor(() => expect(server.connections()).toBe(before + 1));
      if (isClosed) server.closeConnections();
      expect(await sqs.send(command)).toEqual({ MessageId: 'm' });
      expect(server.connections()).toBe(before + (isClosed ? 2 : 1));
    }
  });

  it('lets a connection fail that nothing waits for', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:9');
    const requestHandler = { connectionTimeout: 1_000, requestTimeout: 1_000, connectsAhead: true };
    const sqs = new SQSClient({ requestHandler, maxAttempts: 1 });
    await setTimeout(20);
    await expect(sqs.send(command)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
