import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createReceive,
  createSourceRanges,
  type ReceiveDeps,
  type RejectionReason,
} from '#functions/webhook-ingest/receive/receive.ts';
import { createQueue } from '#shared/aws/queue.ts';
import {
  inflateBody,
  maxDeflatedBodyBytes,
  readWebhookMessage,
  type WebhookDelivery,
} from '#shared/events/webhook-delivery.ts';
import { httpHandler } from '#shared/lambda/http-api.ts';
import { createWebhookSecret } from '#shared/secrets/webhook-secret.ts';
import { anyCharacter } from '#test/any-character.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { lambdaContext } from '#test/shared/lambda/lambda-context.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';

const secretHeader = 'x-drawbridge-secret';
const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string];
const canary = 'Erika Mustermann';
const time = new Date('2026-01-02T03:04:05.678Z');
let emulators: Emulators;

beforeAll(async () => {
  emulators = await startEmulators();
  await emulators.putSecret(JSON.stringify({ current: second, previous: first }));
});
afterAll(() => emulators.close());
afterEach(async () => {
  emulators.unwatch();
  await emulators.receiveAll();
});

/** `receive` on the emulated SQS and Secrets Manager, except what the test gives it. */
function receiveWith(deps: Partial<ReceiveDeps> = {}) {
  const lines = captureLines();
  const rejected: RejectionReason[] = [];
  const { sqs, queueUrl, secretsManager, secretId } = emulators;
  const receive = createReceive({
    isAllowedSource: createSourceRanges(undefined),
    secretHeader,
    secret: createWebhookSecret({ secretsManager, secretId, now: () => time }),
    queue: createQueue({ sqs, queueUrl }),
    log: lines.log,
    onRejected: (reason) => rejected.push(reason),
    ...deps,
  });
  const handler = httpHandler(receive, lines);
  return { receive, lines, rejected, answer: (event: unknown) => handler(event, lambdaContext()) };
}

type Request = {
  readonly eventType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly sourceIp?: string | null;
};

/** The event of an HTTP API, payload format 2.0: bytes come as base64, text as it is. */
function httpEvent({
  eventType = 'TRANSFER_NOTIFICATION',
  headers = { [secretHeader]: second },
  body = '{"transferId":"t"}',
  sourceIp = '203.0.113.7',
}: Request = {}) {
  return {
    version: '2.0',
    routeKey: 'POST /webhooks/{eventType}',
    rawPath: `/webhooks/${encodeURIComponent(eventType)}`,
    rawQueryString: '',
    headers: { 'content-type': 'application/json', host: 'api', ...headers },
    pathParameters: { eventType },
    requestContext: { requestId: 'request-1', timeEpoch: time.getTime(), http: { method: 'POST', sourceIp } },
    body: typeof body === 'string' ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded: typeof body !== 'string',
  };
}

async function queued(): Promise<readonly WebhookDelivery[]> {
  return (await emulators.receiveAll()).flatMap((text) => readWebhookMessage(text).delivery ?? []);
}

async function queuedBodies(): Promise<readonly Buffer[]> {
  return (await queued()).map(({ deflatedBody }) => Buffer.from(inflateBody(deflatedBody)));
}

function incompressible(size: number): Uint8Array {
  return createHash('shake256', { outputLength: size }).update('seed').digest();
}

describe('section 6: a webhook is answered 200 without a body', () => {
  it('queues the webhook with the id and the time of its delivery', async () => {
    const { answer, lines } = receiveWith();
    expect(await answer(httpEvent())).toEqual({ statusCode: 200 });
    const [delivery, ...others] = await queued();
    expect(delivery).toMatchObject({
      deliveryId: 'request-1',
      eventType: 'TRANSFER_NOTIFICATION',
      receivedOn: '2026-01-02T03:04:05.678Z',
    });
    expect(others).toEqual([]);
    expect(lines.text()).toBe('');
  });

  it.each(['NEW_NOTIFICATION', '😀\uffff', 'N'.repeat(1_024)])(
    'answers 200 for any event type: %j',
    async (eventType) => {
      expect(await receiveWith().answer(httpEvent({ eventType }))).toEqual({ statusCode: 200 });
      expect(await queued()).toEqual([expect.objectContaining({ eventType })]);
    },
  );
});

describe('a body keeps its bytes', () => {
  it('queues any bytes that come as base64', async () => {
    const { answer } = receiveWith();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (body) => {
        await answer(httpEvent({ body }));
        expect(await queuedBodies()).toEqual([Buffer.from(body)]);
      }),
      { numRuns: 30 },
    );
  });

  it('queues any text that comes as it is', async () => {
    const { answer } = receiveWith();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 500 }), async (body) => {
        await answer(httpEvent({ body }));
        expect(await queuedBodies()).toEqual([Buffer.from(body)]);
      }),
      { numRuns: 30 },
    );
  });

  it.each([undefined, null])('takes a body that is %s as an empty one', async (body) => {
    const { answer } = receiveWith();
    expect(await answer({ ...httpEvent(), body, isBase64Encoded: null })).toEqual({ statusCode: 200 });
    expect(await queuedBodies()).toEqual([Buffer.of()]);
  });
});

describe('promise 1: a webhook answered 2xx is durable', () => {
  it('is not answered before the queue has it', async () => {
    const has = Promise.withResolvers<void>();
    const sending = Promise.withResolvers<void>();
    const send = () => {
      sending.resolve();
      return has.promise;
    };
    const order: string[] = [];
    const answered = receiveWith({ queue: { send } })
      .answer(httpEvent())
      .then(({ statusCode }) => order.push(`answered ${statusCode}`));
    await sending.promise;
    await setImmediate();
    order.push('durable');
    has.resolve();
    await answered;
    expect(order).toEqual(['durable', 'answered 200']);
  });

  it.each(['before', 'after'] as const)(
    'throws, which is 503, when the connection breaks %s SQS has it',
    async (moment) => {
      const { answer, receive, lines } = receiveWith();
      emulators.watch(({ when, operation }) => {
        if (when === moment && operation === 'SendMessage') throw new Error('The connection breaks.');
      });
      await expect(receive(httpEvent({ body: canary }))).rejects.toThrow();
      expect(await answer(httpEvent({ body: canary }))).toMatchObject({ statusCode: 503 });
      expect(lines.objects()).toEqual([expect.objectContaining({ level: 'ERROR' })]);
      expect(lines.text()).not.toMatch(/Erika|Mustermann|2222/);
    },
  );
});

describe('promise 8: unauthenticated requests write nothing', () => {
  it.each([
    ['without the header', {}],
    ['with another secret', { [secretHeader]: third }],
    ['with the secret in another header', { authorization: second, [`${secretHeader}2`]: second }],
  ])('answers 401 to a webhook %s, queues and logs nothing, and repeats nothing of it', async (_, headers) => {
    const { answer, lines } = receiveWith();
    const sent = { ...headers, 'x-name': canary };
    const response = await answer(httpEvent({ headers: sent, body: canary, eventType: 'CANARY_TYPE' }));
    expect(response).toMatchObject({ statusCode: 401 });
    expect(JSON.stringify(response)).not.toMatch(/Erika|Mustermann|CANARY_TYPE|2222|3333/);
    expect(await emulators.receiveAll()).toEqual([]);
    expect(lines.text()).toBe('');
  });

  it.each([
    ['the header is missing', {}],
    ['the header is empty', { [secretHeader]: '' }],
    ['the header is shorter than a secret can be', { [secretHeader]: '2'.repeat(31) }],
    ['the header is longer than a secret can be', { [secretHeader]: '2'.repeat(1_025) }],
  ])('rejects without a call when %s', async (_, headers) => {
    let calls = 0;
    emulators.watch(() => {
      calls += 1;
    });
    const { answer, rejected } = receiveWith();
    expect(await answer(httpEvent({ headers }))).toMatchObject({ statusCode: 401 });
    expect(calls).toBe(0);
    expect(rejected).toEqual(['NO_SECRET']);
  });

  it('rejects a wrong secret without reading the rest of the event', async () => {
    const { answer, rejected } = receiveWith();
    const unreadable = { ...httpEvent({ headers: { [secretHeader]: third } }), pathParameters: 7, body: 8 };
    expect(await answer(unreadable)).toMatchObject({ statusCode: 401 });
    expect(rejected).toEqual(['WRONG_SECRET']);
  });
});

describe('webhookSources: the ranges from which the platform delivers', () => {
  const ranges = createSourceRanges(['203.0.113.0/24', '198.51.100.7/32', '2001:db8:1::/48']);

  it.each(['203.0.113.7', '198.51.100.7', '2001:db8:1::7', '2001:0DB8:0001:0::7', '::ffff:203.0.113.7'])(
    'accepts a delivery from %s, which is in a range',
    async (sourceIp) => {
      const { answer, rejected } = receiveWith({ isAllowedSource: ranges });
      expect(await answer(httpEvent({ sourceIp }))).toEqual({ statusCode: 200 });
      expect(rejected).toEqual([]);
    },
  );

  it.each(['203.0.114.7', '198.51.100.8', '2001:db8:2::7', '::ffff:203.0.114.7', '', 'unknown', null])(
    'answers 403 with nothing read or written when the source is %j, even with the secret',
    async (sourceIp) => {
      let calls = 0;
      emulators.watch(() => {
        calls += 1;
      });
      const { answer, rejected, lines } = receiveWith({ isAllowedSource: ranges });
      const response = await answer(httpEvent({ sourceIp, body: canary }));
      expect(response).toMatchObject({ statusCode: 403 });
      expect(calls).toBe(0);
      expect(rejected).toEqual(['SOURCE_OUT_OF_RANGE']);
      expect(`${JSON.stringify(response)}${lines.text()}`).not.toMatch(/203\.0|Erika|2222/);
      emulators.unwatch();
      expect(await emulators.receiveAll()).toEqual([]);
    },
  );
});

describe('a gateway that sends null where API Gateway leaves a field out', () => {
  it('accepts the delivery when other fields of the event are null', async () => {
    const absent = { queryStringParameters: null, cookies: null, stageVariables: null };
    expect(await receiveWith().answer({ ...httpEvent(), ...absent })).toEqual({ statusCode: 200 });
  });

  it.each([
    ['there is no event', undefined],
    ['headers are null', { ...httpEvent(), headers: null }],
    ['headers are missing', { ...httpEvent(), headers: undefined }],
  ])('answers 401 when %s', async (_, event) => {
    expect(await receiveWith().answer(event)).toMatchObject({ statusCode: 401 });
  });
});

describe('authenticating deliveries', () => {
  it('answers 503, and queues and logs nothing, when Secrets Manager cannot be reached', async () => {
    const { answer, lines } = receiveWith();
    emulators.watch(({ when, service }) => {
      if (when === 'before' && service === 'secretsManager') throw new Error('Secrets Manager is down.');
    });
    expect(await answer(httpEvent({ body: canary }))).toMatchObject({ statusCode: 503 });
    expect(lines.text()).toBe('');
    emulators.unwatch();
    expect(await queued()).toEqual([]);
  });
});

describe('performance: a body is deflated, and what could not be kept is refused', () => {
  it('answers 413 and queues nothing when the deflated body takes more than the limit', async () => {
    const { answer, lines } = receiveWith();
    const body = Buffer.concat([Buffer.from(canary), incompressible(maxDeflatedBodyBytes)]);
    expect(await answer(httpEvent({ body }))).toMatchObject({ statusCode: 413 });
    expect(await emulators.receiveAll()).toEqual([]);
    expect(lines.objects()).toEqual([
      expect.objectContaining({ level: 'ERROR', deliveryId: 'request-1', size: expect.any(Number) }),
    ]);
    expect(lines.text()).not.toMatch(/Erika|Mustermann/);
  });

  it('answers 413 and queues nothing for an event type that would not fit beside the body', async () => {
    expect(await receiveWith().answer(httpEvent({ eventType: 'N'.repeat(1_025) }))).toMatchObject({ statusCode: 413 });
    expect(await queued()).toEqual([]);
  });

  it('queues the whole body when it takes little less than the limit', async () => {
    const body = incompressible(maxDeflatedBodyBytes - 1024);
    expect(await receiveWith().answer(httpEvent({ body }))).toEqual({ statusCode: 200 });
    expect((await queuedBodies()).map((stored) => stored.equals(body))).toEqual([true]);
  });
});

describe('an event that API Gateway does not send is answered 503, and nothing is queued', () => {
  const whole = httpEvent({ body: canary });

  it.each([
    ['null', null],
    ['no event type', { ...whole, pathParameters: undefined }],
    ['an empty event type', { ...whole, pathParameters: { eventType: '' } }],
    ['half a surrogate pair in the event type', { ...whole, pathParameters: { eventType: 'TRANSFER\ud800' } }],
    ['null for the path parameters', { ...whole, pathParameters: null }],
    ['no request id', { ...whole, requestContext: { timeEpoch: 0 } }],
    ['no time', { ...whole, requestContext: { requestId: 'r' } }],
    ['a time out of range', { ...whole, requestContext: { requestId: 'r', timeEpoch: 1e300 } }],
    ['a body that is no text', { ...whole, body: { name: canary } }],
  ])('is answered 503 without a message: %s', async (_, event) => {
    const { answer, lines } = receiveWith();
    expect(await answer(event)).toMatchObject({ statusCode: 503 });
    expect(lines.text()).not.toMatch(/Erika|Mustermann|2222/);
    expect(await emulators.receiveAll()).toEqual([]);
  });
});
