import { describe, expect, it } from 'vitest';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { JsonTextError } from '#shared/events/json-text.ts';
import { createLog } from '#shared/lambda/log.ts';
import { PlatformNetworkError, PlatformTimeoutError, PlatformTokenError } from '#shared/platform/client/errors.ts';
import { TokenExpiredError } from '#shared/platform/token/token-cache.ts';
import { version } from '#shared/version.ts';
import { captureLines } from './written-lines.ts';

const canary = 'Erika Mustermann';

/** What stands in the log of an error. */
function logged(error: unknown): { readonly text: string; readonly described: unknown } {
  const lines = captureLines();
  lines.log.error('request failed', { error });
  return { text: lines.text(), described: lines.objects()[0]?.['error'] };
}

describe('a log line is one JSON object with the field names of Lambda', () => {
  it.each(['info', 'warn', 'error'] as const)('writes the level %s as Lambda does', (level) => {
    const written: string[] = [];
    const log = createLog({
      write: (line) => {
        written.push(line);
      },
      now: () => new Date('2026-01-02T03:04:05.678Z'),
    });
    log[level]('event quarantined', { eventId: 'e', deliveryId: 'd', messageId: 'm', reason: 'NOT_JSON', size: 7 });
    expect(written).toEqual([
      `{"timestamp":"2026-01-02T03:04:05.678Z","level":"${level.toUpperCase()}","message":"event quarantined","version":"${version}",` +
        '"eventId":"e","deliveryId":"d","messageId":"m","reason":"NOT_JSON","size":7}\n',
    ]);
  });

  it('writes a line without fields', () => {
    const lines = captureLines();
    lines.log.info('started');
    expect(lines.objects()).toEqual([
      { timestamp: '2026-01-02T03:04:05.678Z', level: 'INFO', message: 'started', version },
    ]);
  });

  it('stays one line with any value of a field', () => {
    const lines = captureLines();
    lines.log.warn('a\nb', { reason: 'c\r\nd\u2028e"' });
    expect(lines.text().match(/\n/g)).toHaveLength(1);
    expect(lines.objects()[0]).toMatchObject({ message: 'a\nb', reason: 'c\r\nd\u2028e"' });
  });
});

describe('promise 8: no personal data or secret leaves in a log. Only errors of our own say what they say', () => {
  it('the message of an error of our own is logged', () => {
    expect(logged(new JsonTextError('NOT_JSON')).described).toMatchObject({
      name: 'JsonTextError',
      message: 'The text cannot be read as JSON: NOT_JSON.',
    });
  });

  it("that of an error of the platform's client is too: it promises the same", () => {
    const failed = new PlatformTimeoutError('Get Token', 10);
    const error = new PlatformTokenError('Get natural person', { cause: failed });
    expect(logged(error).described).toMatchObject({
      name: 'PlatformTokenError',
      message: 'Get natural person: there is no valid token. The token refresher says why.',
      cause: { name: 'PlatformTimeoutError', message: 'Get Token: the platform did not answer within 10 ms.' },
    });
    expect(logged(new TokenExpiredError('It has expired.')).described).toMatchObject({ message: 'It has expired.' });
  });

  it("what an error of the platform's client was caused by is not", () => {
    const error = new PlatformNetworkError('Get Token', { cause: new TypeError(canary) });
    expect(logged(error).described).toMatchObject({ cause: { name: 'TypeError' } });
    expect(logged(error).text).not.toMatch(/Erika|Mustermann/);
  });

  it('the message of any other error is not', () => {
    const { text, described } = logged(new TypeError(canary));
    expect(described).toMatchObject({ name: 'TypeError' });
    expect(described).not.toHaveProperty('message');
    expect(text).not.toMatch(/Erika|Mustermann/);
  });

  it('nor are its other fields', () => {
    expect(logged(Object.assign(new Error('failed'), { body: canary, $response: { body: canary } })).text).not.toMatch(
      /Erika|Mustermann/,
    );
  });

  it('nor what a parser says', () => {
    for (const parse of [
      () => JSON.parse(`{"a":${canary}}`),
      () => new URL(canary),
      () => new Headers({ [canary]: '1' }),
    ])
      expect(logged(thrownBy(parse)).text).not.toMatch(/Erika|Mustermann/);
  });

  it.each([
    ['of several lines', `first\nsecond ${canary}`],
    ['that looks like a stack', `first\n    at ${canary} (file.ts:1:1)\n    at ${canary} (file.ts:1:1)`],
    ['that looks like a stack alone', `    at ${canary} (file.ts:1:1)`],
    ['with characters that mean something in a pattern', `$& $1 $\` (.*)+ [\n    at ${canary}`],
    ['like its name', `Error\n    at ${canary}`],
  ])('nor a message %s', (_, message) => {
    expect(logged(new Error(message)).text).not.toMatch(/Erika|Mustermann/);
  });

  it.each([
    ['a text', canary],
    ['an object', { message: canary, name: canary, stack: `    at ${canary}` }],
    ['a function', { [canary]: () => canary }[canary]],
    ['a symbol', Symbol(canary)],
    ['null', null],
  ])('nor what is thrown and no error: %s', (_, thrown) => {
    const { text, described } = logged(thrown);
    expect(described).toEqual({ name: typeof thrown });
    expect(text).not.toMatch(/Erika|Mustermann/);
  });

  it('goes down the causes, and holds for each', () => {
    const innermost = new SyntaxError(`Unexpected token in ${canary}`, { cause: canary });
    const middle = new DrawbridgeError('Check the queue.', { cause: innermost });
    const { text, described } = logged(new Error(canary, { cause: middle }));
    expect(described).toMatchObject({
      name: 'Error',
      cause: {
        name: 'Error',
        message: 'Check the queue.',
        cause: { name: 'SyntaxError', cause: { name: 'string' } },
      },
    });
    expect(text).not.toMatch(/Erika|Mustermann/);
  });

  it('nor a name that is none', () => {
    const { text, described } = logged(Object.assign(new Error('x'), { name: canary }));
    expect(described).toMatchObject({ name: 'Error' });
    expect(text).not.toMatch(/Erika|Mustermann/);
  });

  it('says enough of an error that is its own cause', () => {
    const error = new Error('x');
    error.cause = error;
    expect(logged(error).described).toMatchObject({ name: 'Error', cause: { name: 'Error' } });
  });

  it('holds for errors within an AggregateError', () => {
    expect(logged(new AggregateError([new Error(canary)], canary)).text).not.toMatch(/Erika|Mustermann/);
  });
});

describe('an error of AWS is logged with its name and the id of its request', () => {
  const refused = (name: string, requestId = 'c2ab1a0c-0b9e-5a6e-8f2c') =>
    Object.assign(new Error(canary), { name, $fault: 'client', $metadata: { httpStatusCode: 400, requestId } });

  it.each([
    'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
    'BatchEntryIdsNotDistinct',
    'ConditionalCheckFailedException',
    'IncompleteSignature',
    'InvalidMessageContents',
    'InvalidParameterException',
    'InvalidParameterValue',
    'InvalidSignatureException',
    'ResourceExistsException',
    'SerializationException',
    'TransactionCanceledException',
    'ValidationException',
    'ErrorThatAwsAddsLater',
  ])('without its message where that may quote data: %s', (name) => {
    const { text, described } = logged(refused(name));
    expect(described).toMatchObject({ name, requestId: 'c2ab1a0c-0b9e-5a6e-8f2c' });
    expect(described).not.toHaveProperty('message');
    expect(text).not.toMatch(/Erika|Mustermann/);
  });

  it.each(['AccessDeniedException', 'QueueDoesNotExist', 'ThrottlingException', 'TimeoutError'])(
    'with its message where that names resources only: %s',
    (name) => {
      const error = Object.assign(new Error('It names the queue.'), { name, $metadata: { requestId: 'r-1' } });
      expect(logged(error).described).toMatchObject({ name, message: 'It names the queue.', requestId: 'r-1' });
    },
  );

  it('as the cause of an error of our own', () => {
    const error = new DrawbridgeError('SQS did not take it.', { cause: refused('ValidationException', 'r-1') });
    expect(logged(error).described).toMatchObject({
      message: 'SQS did not take it.',
      cause: { name: 'ValidationException', requestId: 'r-1' },
    });
    expect(logged(error).text).not.toMatch(/Erika|Mustermann/);
  });

  it('without an id that is none', () => {
    expect(logged(refused('ThrottlingException', canary)).described).not.toHaveProperty('requestId');
    expect(logged(Object.assign(new Error(canary), { $metadata: canary })).text).not.toMatch(/Erika|Mustermann/);
  });

  it('without a message where only the name is that of an error of AWS', () => {
    expect(logged(Object.assign(new Error(canary), { name: 'TimeoutError' })).described).not.toHaveProperty('message');
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('It did not throw.');
}

describe('a logged error says where it happened', () => {
  it('by up to eight frames of its stack, without the message', () => {
    const deep = (levels: number): Error => (levels === 0 ? new Error(canary) : deep(levels - 1));
    const { described } = logged(deep(20));
    expect(described).toMatchObject({ stack: new Array(8).fill(expect.stringMatching(/^at .*log\.test\.ts:\d+:\d+/)) });
  });

  it('by its name alone where it has no stack', () => {
    const error = new Error(canary);
    Reflect.deleteProperty(error, 'stack');
    expect(logged(error).described).toEqual({ name: 'Error', stack: [] });
  });
});
