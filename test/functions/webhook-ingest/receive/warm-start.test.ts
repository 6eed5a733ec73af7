import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { rehearse } from '#functions/webhook-ingest/receive/handler.ts';
import { bundleFunction } from '#infra/bundles/bundle.ts';
import { importModule } from '#sandbox/aws/lambda/import-module.ts';
import { type AwsReply, startAwsServer } from '#test/shared/aws/aws-server.ts';
import { lambdaContext } from '#test/shared/lambda/lambda-context.ts';
import { variablesOf } from '#tools/bench/peers.ts';
import { httpEvent } from '#tools/bench/webhooks.ts';

type Bundle = { readonly handler: (event: object, context: object) => Promise<unknown> };

const secretRead: AwsReply = { body: JSON.stringify({ SecretString: JSON.stringify({ current: 'b'.repeat(64) }) }) };
const getSecret = 'secretsmanager.GetSecretValue';
const sendMessage = 'AmazonSQS.SendMessage';

let server: Awaited<ReturnType<typeof startAwsServer>>;
let directory: string;
const lines: string[] = [];
beforeAll(async () => {
  server = await startAwsServer();
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-warm-start-'));
  bundleFunction('functions/webhook-ingest/receive/lambda.ts', join(directory, 'bundle'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await server.close();
});
beforeEach(() => {
  for (const [name, value] of Object.entries(variablesOf(server.origin))) vi.stubEnv(name, value);
  lines.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Loads the bundle of `receive` as Lambda does: each time as a new module, since Node caches modules by their path. */
async function load(): Promise<Bundle> {
  const folder = mkdtempSync(join(directory, 'receive-'));
  cpSync(join(directory, 'bundle'), folder, { recursive: true });
  const { handler } = await importModule(join(folder, 'index.mjs'));
  if (typeof handler !== 'function') throw new Error('The bundle exports no handler.');
  return { handler: (event, context) => handler(event, context) };
}

const targets = () => server.requests.map(({ headers }) => headers['x-amz-target']);
const deliver = ({ handler }: Bundle) => handler(httpEvent('{"orderId":"o"}', 'request'), lambdaContext());

describe('receive after it has loaded', () => {
  it('makes one request for its first webhook, and reads no secret', async () => {
    server.replyWith((_, target) => (target === getSecret ? secretRead : 'sent'));
    const receive = await load();
    expect(targets()).toEqual([getSecret]);
    expect(await deliver(receive)).toEqual({ statusCode: 200 });
    expect(targets()).toEqual([getSecret, sendMessage]);
    expect(lines).toEqual([expect.stringMatching(/"FunctionName":"[^"]+",.*"MemoryUsed":\d+\}/)]);
  });

  it('finishes a read that hung while it loaded with its first webhook', async () => {
    server.replyWith((_attempt, target) => {
      if (target === sendMessage) return 'sent';
      return targets().length > 1 ? secretRead : 'hang';
    });
    const receive = await load();
    expect(targets()).toEqual([getSecret]);
    expect(await deliver(receive)).toEqual({ statusCode: 200 });
    expect(targets()).toEqual([getSecret, getSecret, sendMessage]);
  });

  it('gives up a secret that hangs after two attempts, with time left for SQS', async () => {
    server.replyWith(() => 'hang');
    expect(await deliver(await load())).toMatchObject({ statusCode: 503 });
    expect(targets()).toEqual([getSecret, getSecret]);
  });

  it('logs a failed read once, and reads the secret again five seconds later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    let reply: AwsReply = { status: 400, body: '{"__type":"ResourceNotFoundException"}' };
    server.replyWith((_attempt, target) => (target === sendMessage ? 'sent' : reply));
    const receive = await load();
    reply = secretRead;
    for (let count = 0; count < 3; count += 1) expect(await deliver(receive)).toMatchObject({ statusCode: 503 });
    expect(targets()).toEqual([getSecret]);
    expect(lines.join('').match(/"level":"ERROR"/g)).toHaveLength(1);
    expect(lines.join('')).toContain('webhook secret not read');
    vi.advanceTimersByTime(5_000);
    expect(await deliver(receive)).toEqual({ statusCode: 200 });
    expect(targets()).toEqual([getSecret, getSecret, sendMessage]);
  });

  it('has run a whole webhook before, which is neither logged nor counted', async () => {
    expect(await rehearse()).toEqual({ statusCode: 200 });
    expect(lines).toEqual([]);
  });
});
