import * as z from 'zod';
import type { AwsAnswer, AwsCall } from './aws-service.ts';

export type TraceHeaders = {
  /** Keeps the trace header of a call with the messages that it has sent. */
  readonly keep: (call: AwsCall, answer: AwsAnswer) => void;
  /** Of a message, by its id. */
  readonly find: (messageId: string) => string | undefined;
};

/** Messages whose header is kept. Those of a longer queue begin a chain of requests. */
const maxMessages = 5_000;

const message = z.object({ MessageId: z.string() });
const sent = z.union([message, z.object({ Successful: z.array(message) })]);

/** The attribute AWSTraceHeader of messages, which fauxqs does not have. */
export function createTraceHeaders(): TraceHeaders {
  const headers = new Map<string, string>();
  return {
    keep: ({ headers: { 'x-amzn-trace-id': header } }, { body }) => {
      const { data } = header === undefined ? {} : sent.safeParse(JSON.parse(String(Buffer.from(body))));
      if (header === undefined || data === undefined) return;
      // A FIFO queue answers a duplicate with the id of the message that it has.
      for (const { MessageId } of 'Successful' in data ? data.Successful : [data])
        if (!headers.has(MessageId)) headers.set(MessageId, header);
      for (const messageId of headers.keys()) if (headers.size > maxMessages) headers.delete(messageId);
    },
    find: (messageId) => headers.get(messageId),
  };
}
