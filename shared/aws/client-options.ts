import { fromEnv } from '@aws-sdk/credential-provider-env';

/** In milliseconds. */
const connectionTimeout = 1_000;

/**
 * The options of each AWS client in a function. A client is made once per process, and keeps its connections alive as the SDK does by
 * default. Lambda passes credentials in environment variables, and bundles contain no other provider (docs/decisions/code.md,
 * "Functions call AWS through the AWS SDK").
 *
 * @param requestTimeout in milliseconds: how long an attempt waits for an answer, and then for more of its body
 * @param maxAttempts the first one included: https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
export function clientOptions(requestTimeout: number, maxAttempts = 3) {
  return {
    credentials: fromEnv(),
    retryMode: 'standard',
    maxAttempts,
    // Otherwise the host of a queue's URL replaces each resolved endpoint of SQS, such as that of `fipsEndpoints`.
    useQueueUrlAsEndpoint: false,
    requestHandler: { connectionTimeout, requestTimeout, socketTimeout: requestTimeout, throwOnRequestTimeout: true },
  };
}
