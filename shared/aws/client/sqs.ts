import { AwsClient, AwsCommand, type AwsService, type ClientOptions } from './aws-client.ts';

const service: AwsService = {
  name: 'sqs',
  endpointVariable: 'AWS_ENDPOINT_URL_SQS',
  target: 'AmazonSQS',
  jsonVersion: '1.0',
  retries: { maxAttempts: 3, baseDelay: 50 },
};

export class SQSClient extends AwsClient {
  constructor(options: ClientOptions) {
    super(service, options);
  }
}

export class SendMessageCommand extends AwsCommand {
  override readonly operation = 'SendMessage';
}

export class SendMessageBatchCommand extends AwsCommand {
  override readonly operation = 'SendMessageBatch';
}
