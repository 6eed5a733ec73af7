/**
 * Errors of AWS whose message is a fixed sentence, or names resources such as a queue or a role. The message of any other error is not
 * logged. `ValidationException` quotes values, `InvalidSignatureException` quotes headers, and `SerializationException` quotes a body.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/CommonErrors.html
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
const safeMessages: ReadonlySet<string> = new Set([
  // Every service.
  'AccessDenied',
  'AccessDeniedException',
  'ExpiredToken',
  'ExpiredTokenException',
  'InternalFailure',
  'InvalidClientTokenId',
  'LimitExceededException',
  'MissingAuthenticationToken',
  'ResourceNotFoundException',
  'ServiceUnavailable',
  'Throttling',
  'ThrottlingException',
  'UnrecognizedClientException',
  // DynamoDB.
  'InternalServerError',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  // EventBridge.
  'InternalException',
  // Secrets Manager.
  'DecryptionFailure',
  'EncryptionFailure',
  'InternalServiceError',
  'InvalidRequestException',
  // SQS.
  'InternalError',
  'KmsAccessDenied',
  'KmsDisabled',
  'KmsInvalidState',
  'KmsNotFound',
  'KmsThrottled',
  'OverLimit',
  'QueueDoesNotExist',
  'RequestThrottled',
  // The SDK itself: AWS did not answer in time.
  'TimeoutError',
]);

/** Whether it is an error of the AWS SDK whose message holds no data of ours. */
export function hasSafeAwsMessage(error: Error): boolean {
  return metadataOf(error) !== undefined && safeMessages.has(error.name);
}

/** The id of the request that AWS refused. Without an answer there is none. */
export function requestIdOf(error: Error): { readonly requestId?: string } {
  const metadata = metadataOf(error) ?? {};
  const requestId = 'requestId' in metadata ? metadata.requestId : undefined;
  return typeof requestId === 'string' && /^[\w-]{1,64}$/.test(requestId) ? { requestId } : {};
}

/** The SDK adds it to each error of a request. */
function metadataOf(error: Error): object | undefined {
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  return typeof metadata === 'object' && metadata !== null ? metadata : undefined;
}
