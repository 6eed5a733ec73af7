import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { AwsAnswer, AwsCall } from './aws-service.ts';

export type Deduplication = {
  /** Sends a message, unless its FIFO queue took one with the same deduplication id within the last five minutes. */
  readonly send: (call: AwsCall, forward: (call: AwsCall) => Promise<AwsAnswer>) => Promise<AwsAnswer>;
  /** The attributes of a received message, with the deduplication id that it was sent with. */
  readonly restore: (attribute: readonly [name: string, value: string]) => readonly [string, string];
};

export type DeduplicationDeps = {
  /** Whether a queue, by its name, takes the hash of a body as the deduplication id. */
  readonly isContentBased: (queueName: string) => boolean;
  /** The clock of the laptop. */
  readonly now: () => Date;
};

/** In milliseconds. */
const interval = 5 * 60_000;

const fifoMessage = z.looseObject({
  QueueUrl: z.string().endsWith('.fifo'),
  MessageBody: z.string(),
  MessageDeduplicationId: z.string().optional(),
});

const sent = z.looseObject({ MD5OfMessageBody: z.string() });

/** What makes an id unique for fauxqs. */
const suffix = /~\d+$/;

/**
 * Deduplicates by the clock of the laptop, whereas fauxqs counts real time: each message that is sent on has a deduplication id of its
 * own. Batches are left to fauxqs: nothing sends them to a FIFO queue.
 */
export function createDeduplication({ isContentBased, now }: DeduplicationDeps): Deduplication {
  const taken = new Map<string, { readonly sentOn: number; readonly answer: Promise<AwsAnswer> }>();
  let count = 0;

  function idOf({ QueueUrl, MessageBody, MessageDeduplicationId: id }: z.infer<typeof fifoMessage>) {
    const name = QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1);
    return id ?? (isContentBased(name) ? hash('sha256', MessageBody) : undefined);
  }

  return {
    send: async (call, forward) => {
      const { data: message } = fifoMessage.safeParse(call.input());
      const id = message === undefined ? undefined : idOf(message);
      if (message === undefined || id === undefined) return forward(call);
      const time = now().getTime();
      for (const [key, { sentOn }] of taken) if (time - sentOn >= interval) taken.delete(key);
      const key = JSON.stringify([message.QueueUrl, id]);
      const earlier = taken.get(key);
      if (earlier !== undefined) return answerTo(message, await earlier.answer);
      count += 1;
      const input = { ...message, MessageDeduplicationId: `${id}~${count}` };
      const answer = forward({ ...call, input: () => input, body: Buffer.from(JSON.stringify(input)) });
      taken.set(key, { sentOn: time, answer });
      const isTaken = await answer.then(
        ({ status }) => status === 200,
        () => false,
      );
      if (!isTaken) taken.delete(key);
      return answer;
    },
    restore: ([name, value]) => [name, name === 'MessageDeduplicationId' ? value.replace(suffix, '') : value],
  };
}

/** The answer to a duplicate names the message that the queue has. A client compares the digest with what it has sent. */
function answerTo({ MessageBody }: z.infer<typeof fifoMessage>, answer: AwsAnswer): AwsAnswer {
  if (answer.status !== 200) return answer;
  const earlier = sent.parse(JSON.parse(String(Buffer.from(answer.body))));
  return { ...answer, body: JSON.stringify({ ...earlier, MD5OfMessageBody: hash('md5', MessageBody) }) };
}

function hash(algorithm: 'md5' | 'sha256', text: string): string {
  return createHash(algorithm).update(text).digest('hex');
}
