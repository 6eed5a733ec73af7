import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Stands in for the SDK's chain of credential providers in a bundle: on Lambda credentials come from the environment,
 * and to load the other providers costs a cold start 15 to 28 ms.
 */
export const defaultProvider = fromEnv;
