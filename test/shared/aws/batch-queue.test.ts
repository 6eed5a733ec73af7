import type { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createBatchQueue } from '#shared/aws/queue.ts';
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

const texts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);

function queue(queueUrl = emulators.queueUrl) {
  return createBatchQueue({ sqs: emulators.sqs, queueUrl });
}

/** An SQS that takes of each batch what the test allows. */
function sqsThatTakes(takes: (batch: readonly string[], call: number) => readonly string[]) {
  const taken: string[] = [];
  let calls = 0;
  const send = async ({ input: { Entries = [] } }: SendMessageBatchCommand) => {
    const bodies = Entries.map(({ MessageBody = '' }) => MessageBody);
    const some = takes(bodies, calls++);
    taken.push(...some);
    const [Successful, Failed] = [true, false].map((isTaken) =>
      Entries.filter(({ MessageBody = '' }) => some.includes(MessageBody) === isTaken).map(({ Id }) => ({ Id })),
    );
    return { Successful, Failed };
  };
  return { sqs: { send } as unknown as Pick<SQSClient, 'send'>, taken, calls: () => calls };
}

describe('sendAll when SQS has every message', () => {
  it.each([0, 1, 10, 11, 95])('sends %i messages, ten in a call', async (count) => {
    let calls = 0;
    emulators.watch(({ when, operation }) => {
      if (when === 'before' && operation === 'SendMessageBatch') calls += 1;
    });
    await queue().sendAll(texts(count));
    expect(calls).toBe(Math.ceil(count / 10));
    expect((await emulators.receiveAll()).toSorted()).toEqual(texts(count).toSorted());
  });

  it('sends those again that SQS did not take, and no others', async () => {
    const { sqs, taken, calls } = sqsThatTakes((batch) => batch.slice(0, 5));
    await createBatchQueue({ sqs, queueUrl: 'https://sqs.example' }).sendAll(texts(15));
    expect(taken.toSorted()).toEqual(texts(15).toSorted());
    expect(calls()).toBe(3);
  });

  it('has sent every message or throws, for any part that SQS takes of each batch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(25), fc.array(fc.nat(10), { minLength: 1 }), async (count, most) => {
        const { sqs, taken } = sqsThatTakes((batch, call) => batch.slice(0, most[call % most.length]));
        const sent = createBatchQueue({ sqs, queueUrl: 'https://sqs.example' }).sendAll(texts(count));
        const failure = await sent.catch((error: unknown) => error);
        if (failure === undefined) expect(taken.toSorted()).toEqual(texts(count).toSorted());
        else expect(failure).toMatchObject({ code: 'QueueError' });
        expect(new Set(taken).size).toBe(taken.length);
      }),
    );
  });
});

describe('sendAll when SQS may not have every message', () => {
  it.each(['before', 'after'] as const)('throws when the connection breaks %s SQS has them', async (moment) => {
    emulators.watch(({ when }) => {
      if (when === moment) throw new Error('The connection breaks.');
    });
    await expect(queue().sendAll(texts(3))).rejects.toThrow(expect.objectContaining({ code: 'QueueError' }));
  });

  it.each([
    ['takes some, three times over', (batch: readonly string[]) => batch.filter((text) => text !== 'text 2')],
    ['does not say which it has', () => []],
  ])('throws when SQS %s', async (_, takes) => {
    const { sqs, calls } = sqsThatTakes(takes);
    const sent = createBatchQueue({ sqs, queueUrl: 'https://sqs.example' }).sendAll(texts(3));
    await expect(sent).rejects.toThrow(expect.objectContaining({ code: 'QueueError' }));
    expect(calls()).toBe(3);
  });

  it('throws when there is no such queue, with an error that carries nothing of a message', async () => {
    const error = await failureOf(queue(`${emulators.queueUrl}-missing`).sendAll(['Erika']));
    expect(error).toBeInstanceOf(DrawbridgeError);
    expect(String(error)).not.toContain('Erika');
  });
});
