import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TimeoutError } from '#shared/aws/client/http-post.ts';
import { SendMessageCommand, SQSClient } from '#shared/aws/client/sqs.ts';
import { startAwsServer } from './aws-server.ts';

let server: Awaited<ReturnType<typeof startAwsServer>>;
beforeAll(async () => {
  server = await startAwsServer();
});
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ENDPOINT_URL', server.origin);
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

  it('gives up an attempt that gets no answer in time, and throws after the last one', async () => {
    server.replyWith(() => 'hang');
    await expect(sqsWith(2, 50).send(command)).rejects.toBeInstanceOf(TimeoutError);
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
});
