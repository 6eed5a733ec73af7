import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createQueue } from '#shared/aws/queue.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { isFullSize } from '#test/full-size.ts';
import { failureOf } from '#test/shared/platform/client/test-client.ts';
import { type Emulators, startEmulators } from './emulators.ts';

let emulators: Emulators;
beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
});
afterAll(() => emulators.close());
afterEach(async () => {
  emulators.unwatch();
  await emulators.receiveAll();
});

function queue(queueUrl = emulators.queueUrl) {
  return createQueue({ sqs: emulators.sqs, queueUrl });
}

describe('promise 1: send resolves once SQS has the message', () => {
  it('sends the message as it was handed in', async () => {
    const texts = ['{"a":1}', 'é \t\r\n "quoted" <&>', 'x'.repeat(1024 * 1024)];
    for (const text of texts) await queue().send(text);
    expect((await emulators.receiveAll()).toSorted()).toEqual(texts.toSorted());
  });

  it('resolves no sooner than SQS has the message', async () => {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    emulators.watch(({ when }) => {
      if (when === 'before') return undefined;
      reached.resolve();
      return released.promise;
    });
    const order: string[] = [];
    const sending = queue()
      .send('a')
      .then(() => order.push('resolved'));
    await reached.promise;
    await setImmediate();
    order.push('answered');
    released.resolve();
    await sending;
    expect(order).toEqual(['answered', 'resolved']);
    emulators.unwatch();
    expect(await emulators.receiveAll()).toEqual(['a']);
  });
});

describe('promise 1: send throws when SQS may not have the message', () => {
  it.each([
    ['before', []],
    ['after', ['a']],
  ] as const)('throws when the connection breaks %s SQS has the message', async (moment, there) => {
    emulators.watch(({ when }) => {
      if (when === moment) throw new Error('The connection breaks.');
    });
    expect(await failureOf(queue().send('a'))).toMatchObject({ code: 'QueueError' });
    emulators.unwatch();
    expect(await emulators.receiveAll()).toEqual(there);
  });

  it('throws when there is no such queue, or the message is larger than SQS takes', async () => {
    const error = await failureOf(queue(`${emulators.queueUrl}-missing`).send('a'));
    expect(error).toMatchObject({ code: 'QueueError' });
    expect(error).toHaveProperty('cause.name', expect.stringContaining('QueueDoesNotExist'));
    expect(await failureOf(queue().send('x'.repeat(1024 * 1024 + 1)))).toMatchObject({ code: 'QueueError' });
  });

  it('throws when SQS answers without a message id', async () => {
    const sqs = { send: () => Promise.resolve({ $metadata: {} }) };
    const silent = createQueue({ sqs, queueUrl: emulators.queueUrl });
    expect(await failureOf(silent.send('a'))).toMatchObject({ code: 'QueueError' });
  });

  it('throws an error that carries nothing of the text (promise 8)', async () => {
    const error = await failureOf(queue().send('Erika\uffff'));
    expect(error).toBeInstanceOf(DrawbridgeError);
    expect(String(error)).not.toContain('Erika');
  });
});
