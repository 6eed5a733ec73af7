import {
  AwsClient,
  AwsCommand,
  AwsError,
  type AwsErrorMetadata,
  type AwsService,
  type ClientOptions,
} from './aws-client.ts';

export class ResourceExistsException extends AwsError {
  constructor(metadata: AwsErrorMetadata) {
    super('ResourceExistsException', metadata);
  }
}

const service: AwsService = {
  name: 'secretsmanager',
  endpointVariable: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  target: 'secretsmanager',
  jsonVersion: '1.1',
  retries: { maxAttempts: 3, baseDelay: 50 },
  errors: { ResourceExistsException },
  read: readDate,
};

/** Times are seconds since 1970. */
function readDate(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if (!('CreatedDate' in answer) || typeof answer.CreatedDate !== 'number') return answer;
  return { ...answer, CreatedDate: new Date(answer.CreatedDate * 1_000) };
}

export class SecretsManagerClient extends AwsClient {
  constructor(options: ClientOptions) {
    super(service, options);
  }
}

export class GetSecretValueCommand extends AwsCommand {
  override readonly operation = 'GetSecretValue';
}

export class PutSecretValueCommand extends AwsCommand {
  override readonly operation = 'PutSecretValue';
}
