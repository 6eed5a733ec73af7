import { setImmediate, setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { ConflictError } from '#shared/aws/dynamodb.ts';
import { DrawbridgeError, InvalidRequestError } from '#shared/drawbridge-error.ts';
import { batchHandler, invocationHandler } from '#shared/lambda/handler.ts';
import { type ApiAnswer, httpHandler, problem } from '#shared/lambda/http-api.ts';
import { secretRefused, unavailable } from '#shared/lambda/problem-types.ts';
import { failureOf } from '#test/shared/platform/client/test-client.ts';
import { lambdaContext } from './lambda-context.ts';
import { captureLines } from './written-lines.ts';

const canary = 'Erika Mustermann';
const never = new Promise<never>(() => undefined);

function sqsEvent(...bodies: readonly string[]) {
  const attributes = { ApproximateReceiveCount: '1', SentTimestamp: '0' };
  return { Records: bodies.map((body, index) => ({ messageId: `message-${index}`, body, attributes })) };
}

function failed(...ids: readonly string[]) {
  return { batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) };
}

describe('httpHandler with a function that answers', () => {
  it.each([{ statusCode: 200 }, problem(secretRefused, 'No secret.')])(
    'hands over the event, and returns %j',
    async (answer) => {
      const lines = captureLines();
      const events: unknown[] = [];
      const handler = httpHandler(async (event) => {
        events.push(event);
        return answer;
      }, lines);
      const event = { body: 'a', headers: { b: 'c' } };
      expect(await handler(event, lambdaContext())).toEqual(answer);
      expect(events).toEqual([event]);
      expect(lines.text()).toBe('');
    },
  );

  it.each([
    ['an answer', () => Promise.resolve({ statusCode: 200 })],
    ['a failure', () => Promise.reject(new Error('a'))],
  ])('writes the metrics of a request once, after %s', async (_, end) => {
    const lines = captureLines();
    const handle = () => {
      lines.metrics.count('OnboardingsAccepted');
      return end();
    };
    await httpHandler(handle, lines)({}, lambdaContext());
    const written = () => lines.objects().filter((line) => '_aws' in line);
    expect(written()).toEqual([expect.objectContaining({ OnboardingsAccepted: 1 })]);
    lines.metrics.flush();
    expect(written()).toHaveLength(1);
  });
});

describe('promise 1: what cannot be made durable is answered 5xx. httpHandler with a function that throws', () => {
  it.each<[string, () => Promise<ApiAnswer>]>([
    ['an error of our own', () => Promise.reject(new DrawbridgeError('QueueError', 'Check the queue.'))],
    ['any other error', () => Promise.reject(new TypeError(canary))],
    [
      'before it has begun',
      () => {
        throw new TypeError(canary);
      },
    ],
    ['a text', () => Promise.reject(canary)],
    ['an error of a schema', async () => ({ statusCode: z.parse(z.number(), canary) })],
    ['an error that carries an answer', () => Promise.reject(Object.assign(new Error('a'), { statusCode: 200 }))],
  ])('answers 503, and logs the error once without what was received: %s', async (_, handle) => {
    const lines = captureLines();
    const handler = httpHandler(handle, { ...lines, failed: 'Not read.' });
    expect(await handler({ body: canary }, lambdaContext())).toEqual(problem(unavailable, 'Not read.'));
    expect(lines.objects()).toEqual([expect.objectContaining({ level: 'ERROR', error: expect.anything() })]);
    expect(lines.text()).not.toMatch(/Erika|Mustermann/);
  });

  it('says that the request was not accepted unless it is given other words, and answers the next request', async () => {
    let calls = 0;
    const handler = httpHandler(async () => {
      calls += 1;
      if (calls === 1) throw new Error('a');
      return { statusCode: 200 };
    }, captureLines());
    expect(await handler({}, lambdaContext())).toEqual(problem(unavailable, 'The request could not be processed.'));
    expect(await handler({}, lambdaContext())).toEqual({ statusCode: 200 });
  });
});

describe('failure modes: throwing out of a whole batch. batchHandler reports each record that failed, and no other', () => {
  const fail = () => Promise.reject(new Error(canary));
  const failAtOnce = () => {
    throw new Error(canary);
  };

  it.each<[string, readonly string[], () => Promise<void>, readonly string[]]>([
    ['none when all succeed', ['a', 'b'], fail, []],
    ['none of an empty batch', [], fail, []],
    ['only the poison record', ['a', 'poison', 'c'], fail, ['message-1']],
    ['a record whose handling throws before it has begun', ['a', 'poison', 'c'], failAtOnce, ['message-1']],
    ['all when all fail', ['poison', 'poison'], fail, ['message-0', 'message-1']],
  ])('reports and logs %s', async (_, bodies, poison, expected) => {
    const lines = captureLines();
    const handler = batchHandler((message) => (message === 'poison' ? poison() : Promise.resolve()), lines);
    expect(await handler(sqsEvent(...bodies), lambdaContext())).toEqual(failed(...expected));
    expect(lines.objects()).toEqual(
      expected.map((messageId) => expect.objectContaining({ level: 'ERROR', messageId, error: expect.anything() })),
    );
    expect(lines.text()).not.toMatch(/Erika|Mustermann/);
  });

  it('logs a record with the ids that its reader has found before it failed', async () => {
    const lines = captureLines();
    const handler = batchHandler(async (message, setLogIds) => {
      setLogIds({ deliveryId: message });
      if (message === 'b') setLogIds({ deliveryId: message, eventId: 'event-b' });
      throw new Error(canary);
    }, lines);
    await handler(sqsEvent('a', 'b'), lambdaContext());
    expect(lines.objects()).toMatchObject([
      { messageId: 'message-0', deliveryId: 'a' },
      { messageId: 'message-1', deliveryId: 'b', eventId: 'event-b' },
    ]);
  });

  it('logs a record with its receive count, and counts it from the fifth receive on', async () => {
    const lines = captureLines();
    const handler = batchHandler(() => Promise.reject(new Error('a')), lines);
    const Records = ['4', '5', '120'].map((ApproximateReceiveCount) => ({
      messageId: 'a',
      body: 'a',
      attributes: { ApproximateReceiveCount },
    }));
    await handler({ Records }, lambdaContext());
    expect(lines.objects()).toMatchObject([
      { receives: 4 },
      { receives: 5 },
      { receives: 120 },
      { MessagesFailedRepeatedly: 2 },
    ]);
  });

  it('counts a failed first attempt of its version, but none of a record that another writer overtook', async () => {
    const lines = captureLines(undefined, undefined, { FunctionName: 'store', ExecutedVersion: '7' });
    const failures = [new ConflictError('a'), new Error('a'), new Error('a')];
    const handler = batchHandler((index) => Promise.reject(failures[Number(index)]), lines);
    const Records = ['1', '2', '1'].map((ApproximateReceiveCount, index) => ({
      messageId: 'a',
      body: String(index),
      attributes: { ApproximateReceiveCount },
    }));
    await handler({ Records }, lambdaContext());
    expect(lines.objects().filter((line) => '_aws' in line)).toMatchObject([{ FirstAttemptsFailed: 1 }]);
  });

  it('waits for the slow ones when a quick one fails', async () => {
    const done: string[] = [];
    const handler = batchHandler(async (message) => {
      if (message === 'poison') throw new Error('a');
      await setImmediate();
      done.push(message);
    }, captureLines());
    expect(await handler(sqsEvent('poison', 'b', 'c'), lambdaContext())).toEqual(failed('message-0'));
    expect(done).toEqual(['b', 'c']);
  });

  it('throws where the event is none of SQS, so that nothing is taken for done', async () => {
    const handler = batchHandler(() => Promise.resolve(), captureLines());
    await expect(handler({}, lambdaContext())).rejects.toThrow();
    await expect(handler({ Records: [{ body: 'a' }] }, lambdaContext())).rejects.toThrow();
  });
});

it('begins each record of a batch before any has ended', async () => {
  const all = Promise.withResolvers<void>();
  let begun = 0;
  const handler = batchHandler(() => {
    begun += 1;
    if (begun === 10) all.resolve();
    return all.promise;
  }, captureLines());
  expect(await handler(sqsEvent(...'abcdefghij'), lambdaContext())).toEqual(failed());
});

describe('failure modes: a function times out in mid-batch. What is not done before the deadline is reported as failed', () => {
  it.each([2_001, 2_000, -5])('reports records as failed with %i ms left', async (remaining) => {
    const lines = captureLines();
    const handler = batchHandler((message) => (message === 'slow' ? never : Promise.resolve()), lines);
    expect(await handler(sqsEvent('a', 'slow', 'c', 'slow'), lambdaContext(remaining))).toEqual(
      failed('message-1', 'message-3'),
    );
    expect(lines.objects()).toEqual([
      expect.objectContaining({ level: 'WARN', messageId: 'message-1' }),
      expect.objectContaining({ level: 'WARN', messageId: 'message-3' }),
    ]);
  });

  it('reports a record as failed two seconds before the time is over, and not sooner', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const answers: unknown[] = [];
      const handler = batchHandler(() => never, captureLines());
      const answering = handler(sqsEvent('a'), lambdaContext(30_000)).then((answer) => answers.push(answer));
      await vi.advanceTimersByTimeAsync(27_999);
      expect(answers).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await answering;
      expect(answers).toEqual([failed('message-0')]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('survives a record that fails after the deadline', async () => {
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', onRejection);
    const late = Promise.withResolvers<void>();
    const handler = batchHandler(() => late.promise, captureLines());
    expect(await handler(sqsEvent('a'), lambdaContext(0))).toEqual(failed('message-0'));
    late.reject(new Error('too late'));
    await setImmediate();
    process.off('unhandledRejection', onRejection);
    expect(rejections).toEqual([]);
  });

  it('keeps no timer once all is done', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    await batchHandler(() => Promise.resolve(), captureLines())(sqsEvent('a'), lambdaContext(900_000));
    expect(timers()).toBe(before);
  });
});

describe('batchHandler writes the metrics of each batch', () => {
  it.each([
    ['when all succeed', () => Promise.resolve(), 30_000],
    ['when all fail', () => Promise.reject(new Error('a')), 30_000],
    ['when nothing is done in time', () => never, 0],
  ])('writes the metrics once %s', async (_, end, remaining) => {
    const lines = captureLines();
    const handler = batchHandler(() => {
      lines.metrics.count('EventsStored');
      return end();
    }, lines);
    await handler(sqsEvent('a', 'b'), lambdaContext(remaining));
    expect(lines.objects().filter((line) => '_aws' in line)).toEqual([expect.objectContaining({ EventsStored: 2 })]);
    lines.metrics.flush();
    expect(lines.objects().filter((line) => '_aws' in line)).toHaveLength(1);
  });
});

describe('invocationHandler: a function that is invoked as it is', () => {
  it('is handed the event and its remaining time, and its answer is the answer', async () => {
    const lines = captureLines();
    const handler = invocationHandler(async (event, { timeLimit, signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { event, timeLimit };
    }, lines);
    expect(await handler({ mode: 'plan' }, lambdaContext(2_001))).toEqual({
      event: { mode: 'plan' },
      timeLimit: 2_001,
    });
    expect(lines.text()).toBe('');
  });

  it('is asked to stop as early as it needs to, immediately where no time is left', async () => {
    const signals: AbortSignal[] = [];
    const handler = invocationHandler(async (_, { signal }) => void signals.push(signal), {
      ...captureLines(),
      reserve: 10_000,
    });
    for (const left of [0, 10_000, 60_000]) await handler({}, lambdaContext(left));
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
  });

  it('says that it ran out of time where that is why it failed', async () => {
    const lines = captureLines();
    const handler = invocationHandler((_, { signal }) => setTimeout(60_000, undefined, { signal }), lines);
    await expect(handler({}, lambdaContext(2_001))).rejects.toThrow(
      expect.objectContaining({ name: 'InvocationError', message: 'The invocation ran out of time.' }),
    );
    expect(lines.text()).toContain('The invocation ran out of time.');
  });

  it.each([
    [
      'an error of our own',
      new DrawbridgeError('QueueError', 'Check the queue.', { cause: new Error(canary) }),
      'Check the queue.',
    ],
    ['any other error', new TypeError(canary), 'The invocation failed: read the log.'],
  ])('fails with %s, which is logged, and says no more than may be logged', async (_, thrown, message) => {
    const lines = captureLines();
    const handler = invocationHandler(() => Promise.reject(thrown), lines);
    const error = await failureOf(handler({}, lambdaContext()));
    expect(error).toMatchObject({ code: 'InvocationError', name: 'InvocationError', message });
    expect(`${inspect(error, { showHidden: true, depth: null })}${lines.text()}`).not.toContain(canary);
    expect(lines.objects()).toEqual([
      expect.objectContaining({ level: 'ERROR', error: expect.objectContaining({ name: thrown.name }) }),
    ]);
  });

  it('fails with the type and the message of an invalid request, which is logged as a warning without its cause', async () => {
    const lines = captureLines();
    const rejects = () =>
      Promise.reject(new InvalidRequestError('ReplayRequestError', 'Send a mode.', { cause: new Error(canary) }));
    const error = await failureOf(invocationHandler(rejects, lines)({}, lambdaContext()));
    expect(error).toMatchObject({ name: 'InvalidRequestError', message: 'Send a mode.' });
    expect(`${inspect(error, { showHidden: true, depth: null })}${lines.text()}`).not.toContain(canary);
    expect(lines.objects()).toEqual([expect.objectContaining({ level: 'WARN', message: 'invocation rejected' })]);
  });

  it.each([false, true])('writes its metrics, also where it fails: %s', async (fails) => {
    const lines = captureLines();
    const handler = invocationHandler(async () => {
      lines.metrics.count('EventsStored');
      if (fails) throw new Error(canary);
    }, lines);
    await handler({}, lambdaContext()).catch(() => undefined);
    expect(lines.objects()).toContainEqual(expect.objectContaining({ EventsStored: 1 }));
  });
});
