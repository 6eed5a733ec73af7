import {
  AwsClient,
  AwsCommand,
  AwsError,
  type AwsErrorMetadata,
  type AwsService,
  type ClientOptions,
} from './aws-client.ts';
import { readAttributes, writeAttributes } from './dynamodb-json.ts';

export class ConditionalCheckFailedException extends AwsError {
  constructor(metadata: AwsErrorMetadata) {
    super('ConditionalCheckFailedException', metadata);
  }
}

const service: AwsService = {
  name: 'dynamodb',
  endpointVariable: 'AWS_ENDPOINT_URL_DYNAMODB',
  target: 'DynamoDB_20120810',
  jsonVersion: '1.0',
  retries: { maxAttempts: 4, baseDelay: 25 },
  errors: { ConditionalCheckFailedException },
  write: writeAttributes,
  read: readAttributes,
};

export class DynamoDBClient extends AwsClient {
  constructor(options: ClientOptions) {
    super(service, options);
  }
}

export class BatchGetItemCommand extends AwsCommand {
  override readonly operation = 'BatchGetItem';
}

export class DeleteItemCommand extends AwsCommand {
  override readonly operation = 'DeleteItem';
}

export class GetItemCommand extends AwsCommand {
  override readonly operation = 'GetItem';
}

export class PutItemCommand extends AwsCommand {
  override readonly operation = 'PutItem';
}

export class QueryCommand extends AwsCommand {
  override readonly operation = 'Query';
}

export class ScanCommand extends AwsCommand {
  override readonly operation = 'Scan';
}

export class UpdateItemCommand extends AwsCommand {
  override readonly operation = 'UpdateItem';
}
