import { describe, expect, it } from 'vitest';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { JsonTextError } from '#shared/events/json-text.ts';
import { createLog } from '#shared/lambda/log.ts';
import { PlatformNetworkError, PlatformTimeoutError, PlatformTokenError } from '#shared/platform/client/errors.ts';
import { TokenExpiredError } from '#shared/platform/token/token-cache.ts';
import { version } from '#shared/version.ts';
import { captureLines } from './written-lines.ts';

const canary = 'Erika Mustermann';

/** What the log says of an error. */
function logged(error: unknown): { readonly text: string; readonly described: unknown } {
  const lines = captureLines();
  lines.log.error('request failed', { error });
  return { text: lines.text(), described: lines.objects()[0]?.['error'] };
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('It did not throw.');
}

const errorOf = (members: object) => Object.assign(new Error(canary), members);

describe('a log line', () => {
  it.each(['info', 'warn', 'error'] as const)(
    'is one JSON object with the field names of Lambda: level %s',
    (level) => {
      const written: string[] = [];
      const log = createLog({
        write: (line) => void written.push(line),
        now: () => new Date('2026-01-02T03:04:05.678Z'),
      });
      log[level]('event quarantined', { eventId: 'e', deliveryId: 'd', messageId: 'm', reason: 'NOT_JSON', size: 7 });
      log[level]('started');
      const begin = `{"timestamp":"2026-01-02T03:04:05.678Z","level":"${level.toUpperCase()}","message":`;
      expect(written).toEqual([
        `${begin}"event quarantined","version":"${version}","eventId":"e","deliveryId":"d","messageId":"m","reason":"NOT_JSON","size":7}\n`,
        `${begin}"started","version":"${version}"}\n`,
      ]);
    },
  );

  it('stays one line with any value of a field', () => {
    const lines = captureLines();
    lines.log.warn('a\nb', { reason: 'c\r\nd\u2028e"' });
    expect(lines.text().match(/\n/g)).toHaveLength(1);
    expect(lines.objects()[0]).toMatchObject({ message: 'a\nb', reason: 'c\r\nd\u2028e"' });
  });
});

describe('an error in a log line (promise 8)', () => {
  const token = new PlatformTokenError('Get natural person', { cause: new PlatformTimeoutError('Get Token', 10) });
  const network = new PlatformNetworkError('Get Token', { cause: new TypeError(canary) });

  it.each<[string, unknown, object]>([
    ['of our own', new JsonTextError('NOT_JSON'), { message: 'The text cannot be read as JSON: NOT_JSON.' }],
    ['of a token', new TokenExpiredError('It has expired.'), { message: 'It has expired.' }],
    [
      "of the platform's client",
      token,
      {
        name: 'PlatformTokenError',
        message: expect.stringMatching(/^Get natural person: there is no valid token: /),
        cause: { name: 'PlatformTimeoutError', message: 'Get Token: the platform did not answer within 10 ms.' },
      },
    ],
  ])('says its message when the error is %s', (_, error, described) => {
    expect(logged(error).described).toMatchObject(described);
  });

  it.each<[string, unknown, object]>([
    ['any other', new TypeError(canary), { name: 'TypeError' }],
    ["the cause of one of the platform's client", network, { cause: { name: 'TypeError' } }],
    ['one with further fields', errorOf({ body: canary, $response: { body: canary } }), { name: 'Error' }],
    ['one of a JSON parser', thrownBy(() => JSON.parse(`{"a":${canary}}`)), { name: 'SyntaxError' }],
    ['one of a URL parser', thrownBy(() => new URL(canary)), { name: 'TypeError' }],
    ['one of headers', thrownBy(() => new Headers({ [canary]: '1' })), { name: 'TypeError' }],
    ['one with several lines', new Error(`first\nsecond ${canary}`), { name: 'Error' }],
    ['one with a stack in its message', new Error(`a\n    at ${canary} (file.ts:1:1)`), { name: 'Error' }],
    ['one that looks like only a stack', new Error(`    at ${canary} (file.ts:1:1)`), { name: 'Error' }],
    ['one with characters of a pattern', new Error(`$& $1 $\` (.*)+ [\n    at ${canary}`), { name: 'Error' }],
    ['one like its name', new Error(`Error\n    at ${canary}`), { name: 'Error' }],
    ['one with a name that is none', errorOf({ name: canary }), { name: 'Error' }],
    ['one with errors within', new AggregateError([new Error(canary)], canary), { name: 'AggregateError' }],
    ['a text', canary, { name: 'string' }],
    ['an object', { message: canary, name: canary, stack: `    at ${canary}` }, { name: 'object' }],
    ['a function', { [canary]: () => canary }[canary], { name: 'function' }],
    ['a symbol', Symbol(canary), { name: 'symbol' }],
    ['null', null, { name: 'object' }],
  ])('says nothing that may quote data when it is %s', (_, thrown, expected) => {
    const { text, described } = logged(thrown);
    expect(described).toMatchObject(expected);
    expect(text).not.toMatch(/Erika|Mustermann/);
  });

  it('goes down the causes, and holds for each', () => {
    const innermost = new SyntaxError(`Unexpected token in ${canary}`, { cause: canary });
    const middle = new DrawbridgeError('QueueError', 'Check the queue.', { cause: innermost });
    const { text, described } = logged(new Error(canary, { cause: middle }));
    expect(described).toMatchObject({
      name: 'Error',
      cause: {
        name: 'QueueError',
        message: 'Check the queue.',
        cause: { name: 'SyntaxError', cause: { name: 'string' } },
      },
    });
    expect(text).not.toMatch(/Erika|Mustermann/);
  });

  it('ends where an error is its own cause', () => {
    const error = new Error('x');
    error.cause = error;
    expect(logged(error).described).toMatchObject({ name: 'Error', cause: { name: 'Error' } });
  });

  it('shows up to eight frames of the stack, and only the name when there is no stack', () => {
    const deep = (levels: number): Error => (levels === 0 ? new Error(canary) : deep(levels - 1));
    const frame = expect.stringMatching(/^at .*log\.test\.ts:\d+:\d+/);
    expect(logged(deep(20)).described).toMatchObject({ stack: new Array(8).fill(frame) });
    const error = new Error(canary);
    Reflect.deleteProperty(error, 'stack');
    expect(logged(error).described).toEqual({ name: 'Error', stack: [] });
  });
});

describe('an error of AWS in a log line', () => {
  const refused = (name: string, requestId = 'c2ab1a0c-0b9e-5a6e-8f2c') =>
    errorOf({ name, $fault: 'client', $metadata: { httpStatusCode: 400, requestId } });

  it.each([
    'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
    'ConditionalCheckFailedException',
    'IncompleteSignature',
    'InvalidMessageContents',
    'InvalidParameterValue',
    'SerializationException',
    'TransactionCanceledException',
    'ValidationException',
    'ErrorThatAwsAddsLater',
  ])('has its name and the id of its request, and no message that may quote data: %s', (name) => {
    const { text, described } = logged(refused(name));
    expect(described).toMatchObject({ name, requestId: 'c2ab1a0c-0b9e-5a6e-8f2c' });
    expect(described).not.toHaveProperty('message');
    expect(text).not.toMatch(/Erika|Mustermann/);
  });

  it.each(['AccessDeniedException', 'QueueDoesNotExist', 'ThrottlingException', 'TimeoutError'])(
    'has its message where that names resources only: %s',
    (name) => {
      const error = Object.assign(new Error('It names the queue.'), { name, $metadata: { requestId: 'r-1' } });
      expect(logged(error).described).toMatchObject({ name, message: 'It names the queue.', requestId: 'r-1' });
    },
  );

  it('has no id that is none, and no message where only the name is that of an error of AWS', () => {
    expect(logged(refused('ThrottlingException', canary)).described).not.toHaveProperty('requestId');
    expect(logged(errorOf({ $metadata: canary })).text).not.toMatch(/Erika|Mustermann/);
    expect(logged(errorOf({ name: 'TimeoutError' })).described).not.toHaveProperty('message');
  });
});
