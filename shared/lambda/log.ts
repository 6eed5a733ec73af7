import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { version } from '#shared/version.ts';

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

/** Whether it is an error of the AWS SDK whose message holds none of our data. */
function hasSafeAwsMessage(error: Error): boolean {
  return metadataOf(error) !== undefined && safeMessages.has(error.name);
}

/** The id of the request that AWS refused; absent if AWS did not answer. */
function requestIdOf(error: Error): { readonly requestId?: string } {
  const metadata = metadataOf(error) ?? {};
  const requestId = 'requestId' in metadata ? metadata.requestId : undefined;
  return typeof requestId === 'string' && /^[\w-]{1,64}$/.test(requestId) ? { requestId } : {};
}

/** The SDK adds it to each error of a request. */
function metadataOf(error: Error): object | undefined {
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  return typeof metadata === 'object' && metadata !== null ? metadata : undefined;
}

/** What may stand in a log line: names, ids and counts of our own. Nothing that came in a body. */
export type LogFields = {
  /** The AWS access key that signed a request: an id, no secret. */
  readonly accessKeyId?: string | undefined;
  readonly count?: number;
  readonly deliveryId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly eventType?: string;
  readonly identificationVerificationIds?: string | undefined;
  /** Of an entity. */
  readonly kind?: string;
  readonly messageId?: string;
  /** Ids with commas in between: CloudWatch Logs Insights splits a list into a field for each item. */
  readonly naturalPersonIds?: string | undefined;
  readonly onboardingId?: string | undefined;
  /** The further onboardings of the same person. */
  readonly otherOnboardingIds?: string | undefined;
  /** Scheme and host of a URL, and no more of it. */
  readonly origin?: string;
  /** What became of a delivery. */
  readonly outcome?: string;
  /** Of an operation of the platform, as the profile has it. */
  readonly path?: string;
  readonly reason?: string;
  /** How often SQS has delivered a message, or `Wake` has leased an onboarding. */
  readonly receives?: number;
  /** What an operator does, in our own words. */
  readonly remedies?: readonly string[];
  readonly size?: number;
  readonly step?: string;
  readonly error?: unknown;
};

export type Log = {
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
};

type LogDeps = {
  /** Takes one line, its end included. */
  readonly write: (line: string) => void;
  readonly now: () => Date;
  /** Each line of a traced invocation has it, so that a trace leads to the ids in its lines. */
  readonly traceId?: (() => string | undefined) | undefined;
};

/** Writes one JSON object a line, with the field names of Lambda's own JSON log format, and the release that wrote it. */
export function createLog({ write, now, traceId }: LogDeps): Log {
  const at =
    (level: 'INFO' | 'WARN' | 'ERROR') =>
    (message: string, { error, ...fields }: LogFields = {}): void => {
      const described = error === undefined ? {} : { error: describeError(error) };
      write(
        `${JSON.stringify({ timestamp: now().toISOString(), level, message, version, traceId: traceId?.(), ...fields, ...described })}\n`,
      );
    };
  return { info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
}

type ErrorDescription = {
  readonly name: string;
  readonly message?: string;
  /** The id that AWS gave a request: AWS support asks for it. */
  readonly requestId?: string;
  readonly stack?: readonly string[];
  readonly cause?: ErrorDescription;
};

/** Deeper causes add nothing; and an error can be its own cause. */
const maxCauses = 5;

/**
 * Errors of the platform's client have this mark, since the client may not import the class: like {@link DrawbridgeError},
 * they promise that their messages hold nothing of what was received.
 */
const messageMayBeLogged = Symbol.for('drawbridge.messageMayBeLogged');

/** Of any other error the message is left out, unless AWS documents it: a parser or a client may have quoted a body in it. */
function describeError(error: unknown, causesLeft = maxCauses): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: /^[\w.]{1,64}$/.test(error.name) ? error.name : 'Error',
    ...((isOurOwn(error) || hasSafeAwsMessage(error)) && { message: error.message }),
    ...requestIdOf(error),
    stack: stackFrames(error),
    ...(error.cause !== undefined && causesLeft > 0 && { cause: describeError(error.cause, causesLeft - 1) }),
  };
}

/** Whether it promises that its message holds nothing of what was received. */
export function isOurOwn(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return error instanceof DrawbridgeError || messageMayBeLogged in error;
}

const maxFrames = 8;

function stackFrames({ stack = '', message }: Error): readonly string[] {
  const frames = stack.replace(message, '').split('\n');
  return frames
    .filter((frame) => frame.startsWith('    at '))
    .slice(0, maxFrames)
    .map((frame) => frame.trim());
}
