import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { AwsCall, AwsService } from './aws-service.ts';

export type HoldBackDeps = {
  /** By this time messages are due. */
  readonly now: () => Date;
  readonly newId: () => string;
};

/** In milliseconds of real time: how often it is looked whether something is due. */
const lookEvery = 50;

const sendMessage = z.looseObject({
  DelaySeconds: z.number().optional(),
  MessageBody: z.string(),
  MessageAttributes: z.undefined().optional(),
});

/**
 * Holds back a delayed message until it is due by the host's clock, which its sender uses. Only single messages without
 * attributes are held back; SQS delays all others by real time.
 */
export function holdBack(sqs: AwsService, { now, newId }: HoldBackDeps): AwsService {
  let held: readonly { readonly call: AwsCall; readonly dueAt: number }[] = [];

  /** What SQS does not take is due again. */
  async function release(): Promise<void> {
    const time = now().getTime();
    const due = held.filter(({ dueAt }) => dueAt <= time);
    held = held.filter((message) => !due.includes(message));
    for (const message of due) {
      const isTaken = await sqs.handle(message.call).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (!isTaken) held = [...held, message];
    }
  }

  const timer = setInterval(() => void release(), lookEvery);
  return {
    close: () => {
      clearInterval(timer);
      held = [];
      return sqs.close();
    },
    handle: async (call) => {
      const message = delayedMessage(call);
      if (message === undefined) return sqs.handle(call);
      const { DelaySeconds, ...atOnce } = message;
      const body = Buffer.from(JSON.stringify(atOnce));
      held = [...held, { call: { ...call, body }, dueAt: now().getTime() + DelaySeconds * 1_000 }];
      const MD5OfMessageBody = createHash('md5').update(atOnce.MessageBody).digest('hex');
      return {
        status: 200,
        headers: { 'content-type': 'application/x-amz-json-1.0' },
        body: JSON.stringify({ MessageId: newId(), MD5OfMessageBody }),
      };
    },
  };
}

function delayedMessage({ operation, body }: AwsCall) {
  if (operation !== 'SendMessage') return undefined;
  const { data } = sendMessage.safeParse(JSON.parse(body.toString()));
  const delay = data?.DelaySeconds ?? 0;
  return data !== undefined && delay > 0 ? { ...data, DelaySeconds: delay } : undefined;
}
