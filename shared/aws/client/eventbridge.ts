import { AwsClient, AwsCommand, type AwsService, type ClientOptions } from './aws-client.ts';

const service: AwsService = {
  name: 'events',
  endpointVariable: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
  target: 'AWSEvents',
  jsonVersion: '1.1',
  retries: { maxAttempts: 3, baseDelay: 50 },
};

export class EventBridgeClient extends AwsClient {
  constructor(options: ClientOptions) {
    super(service, options);
  }
}

export class PutEventsCommand extends AwsCommand {
  override readonly operation = 'PutEvents';
}
