import { isServerError, isThrottlingError, isTransientError, StandardRetryStrategy } from '@smithy/core/retry';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { parseJson } from '#shared/parse-json.ts';
import { version } from '#shared/version.ts';
import { hostOf } from './endpoint.ts';
import { environment } from './environment.ts';
import { createHttpClient, type HttpAnswer, type HttpClient, type HttpLimits } from './http-post.ts';
import { createSignRequest, type Headers, type SignRequest } from './sign-request.ts';

/** What of the SDK's configuration the functions use. */
export type ClientOptions = {
  readonly requestHandler: HttpLimits & {
    /** Whether the client opens a connection when it is created. The SDK knows no such option, and ignores it. */
    readonly connectsAhead?: boolean;
  };
  /** The first attempt counted. */
  readonly maxAttempts?: number;
};

/** A service with the JSON protocol of AWS: https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html */
export type AwsService = {
  /** In host names and signatures. */
  readonly name: string;
  /** The variable that names another endpoint. */
  readonly endpointVariable: string;
  /** What stands before the operation in `x-amz-target`. */
  readonly target: string;
  readonly jsonVersion: '1.0' | '1.1';
  /** As the SDK has it. The delay in milliseconds. */
  readonly retries: { readonly maxAttempts: number; readonly baseDelay: number };
  /** Errors that callers tell from others, by their names. */
  readonly errors?: Readonly<Record<string, new (metadata: AwsErrorMetadata) => AwsError>>;
  /** The input of an operation as JSON. */
  readonly write?: (input: object) => string;
  /** Turns what JSON cannot express into what the SDK returns. */
  readonly read?: (answer: unknown) => unknown;
};

export type AwsErrorMetadata = { readonly httpStatusCode: number };

/** AWS refused a request. The message of AWS is left out, because it may quote the request. */
export class AwsError extends Error {
  readonly $metadata: AwsErrorMetadata;

  constructor(name: string, metadata: AwsErrorMetadata) {
    super(`AWS answered with status ${metadata.httpStatusCode}.`);
    this.name = name;
    this.$metadata = metadata;
  }
}

/** The environment has no credentials. */
export class CredentialsError extends DrawbridgeError {
  override readonly name = 'CredentialsError';
}

/** An operation and its input. */
export abstract class AwsCommand {
  abstract readonly operation: string;
  readonly input: object;

  constructor(input: object) {
    this.input = input;
  }
}

type Connection = {
  readonly path: string;
  readonly host: string;
  readonly sign: SignRequest;
  readonly http: HttpClient;
};

/**
 * A client of a service: signs, sends and retries. The stand-in for the clients of the SDK in the bundles, whose stack of
 * middleware costs a function more than all that the function does itself (docs/decisions/0370).
 *
 * Retries are those of the SDK, by its own strategy: a back-off with jitter, and a quota for each client.
 */
export class AwsClient {
  readonly #service: AwsService;
  readonly #limits: HttpLimits;
  readonly #retries: StandardRetryStrategy;
  #connection: Connection | undefined;

  constructor(service: AwsService, { requestHandler, maxAttempts = service.retries.maxAttempts }: ClientOptions) {
    this.#service = service;
    this.#limits = requestHandler;
    this.#retries = new StandardRetryStrategy({ maxAttempts, baseDelay: service.retries.baseDelay });
    if (requestHandler.connectsAhead === true && hasCredentials()) this.#connected().http.connectAhead();
  }

  /** @throws {AwsError} {CredentialsError} {TimeoutError} and what Node throws of a connection */
  async send({ operation, input }: AwsCommand): Promise<unknown> {
    const { write = JSON.stringify } = this.#service;
    const body = write(input);
    let token = await this.#retries.acquireInitialRetryToken('');
    for (;;) {
      try {
        const output = await this.#attempt(operation, body);
        this.#retries.recordSuccess(token);
        return output;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const next = await this.#retries
          .refreshRetryTokenForRetry(token, retryInformation(error))
          .catch(() => undefined);
        if (next === undefined) throw error;
        token = next;
      }
    }
  }

  async #attempt(operation: string, body: string): Promise<unknown> {
    const { target, jsonVersion, read = same } = this.#service;
    const { path, host, sign, http } = this.#connected();
    const signed = sign(
      path,
      { host, 'content-type': `application/x-amz-json-${jsonVersion}`, 'x-amz-target': `${target}.${operation}` },
      body,
    );
    const answer = await http.post(
      {
        ...signed,
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': `drawbridge/${version}`,
        ...traceHeader(),
      },
      body,
    );
    if (answer.status >= 300) throw this.#errorOf(answer);
    return answer.text === '' ? {} : read(JSON.parse(answer.text));
  }

  #errorOf({ status, headers, text }: HttpAnswer): AwsError {
    const name = errorName(headers['x-amzn-errortype'] ?? typeOf(parseJson(text)));
    const KnownError = this.#service.errors?.[name];
    const metadata = { httpStatusCode: status };
    return KnownError === undefined ? new AwsError(name, metadata) : new KnownError(metadata);
  }

  #connected(): Connection {
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  #connect(): Connection {
    if (!hasCredentials())
      throw new CredentialsError('Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, as Lambda does.');
    const { name: service, endpointVariable } = this.#service;
    const {
      AWS_REGION: region = '',
      AWS_ACCESS_KEY_ID: accessKeyId = '',
      AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
      AWS_SESSION_TOKEN: sessionToken,
      AWS_ENDPOINT_URL: endpoint = `https://${hostOf(service, region)}`,
    } = environment;
    const url = new URL(environment[endpointVariable] ?? endpoint);
    return {
      path: url.pathname,
      host: url.host,
      sign: createSignRequest({ accessKeyId, secretAccessKey, sessionToken }, { service, region }, () => new Date()),
      http: createHttpClient(url, this.#limits),
    };
  }
}

function hasCredentials(): boolean {
  return [environment['AWS_ACCESS_KEY_ID'], environment['AWS_SECRET_ACCESS_KEY']].every((key = '') => key !== '');
}

/** By this header Lambda finds functions that call themselves through a queue, and X-Ray joins traces. */
function traceHeader(): Headers {
  const { _X_AMZN_TRACE_ID: trace = '' } = environment;
  return trace === '' ? {} : { 'x-amzn-trace-id': trace };
}

/** What the strategy of the SDK decides by. */
function retryInformation(thrown: Error) {
  const error = {
    name: thrown.name,
    message: thrown.message,
    ...('code' in thrown && { code: thrown.code }),
    ...(thrown instanceof AwsError && { $metadata: thrown.$metadata }),
  };
  if (isThrottlingError(error)) return { error, errorType: 'THROTTLING' } as const;
  if (isTransientError(error)) return { error, errorType: 'TRANSIENT' } as const;
  return { error, errorType: isServerError(error) ? 'SERVER_ERROR' : 'CLIENT_ERROR' } as const;
}

function typeOf(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return undefined;
  if ('__type' in answer) return answer.__type;
  return 'code' in answer ? answer.code : undefined;
}

/** `com.amazonaws.sqs#QueueDoesNotExist:http://…` is `QueueDoesNotExist`. */
function errorName(type: unknown): string {
  const [qualified = ''] = String(type ?? '').split(/[:,]/);
  return qualified.split('#').at(-1) || 'Unknown';
}

function same(answer: unknown): unknown {
  return answer;
}
