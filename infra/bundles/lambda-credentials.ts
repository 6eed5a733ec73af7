import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Stands in for the SDK's chain of credential providers in a bundle: on Lambda credentials come from the environment,
 * and a cold start is spared the other providers.
 */
export const defaultProvider = fromEnv;
