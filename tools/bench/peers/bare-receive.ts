import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const sqs = new SQSClient({});

/** The floor: sends what it gets, and checks nothing. */
export const handler = async (event: { readonly body: string }) => {
  await sqs.send(new SendMessageCommand({ QueueUrl: process.env['QUEUE_URL'], MessageBody: event.body }));
  return { statusCode: 200 };
};
