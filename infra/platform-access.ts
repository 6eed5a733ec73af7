import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { PlatformEnvironment } from '#shared/platform-connection.ts';
import type { DrawbridgeFunction } from './function.ts';
import type { Settings } from './settings.ts';

export type PlatformAccess = {
  readonly settings: Pick<Settings, 'platform' | 'platformProfile'>;
  readonly key: Key;
  readonly platformToken: Secret;
  /** Where the token refresher takes reports of rejected tokens. */
  readonly tokenRefreshes: Queue;
};

/**
 * Lets a function call the platform: it finds in its environment where that is, may read the token, and may report that
 * it was rejected. The credentials are the token refresher's alone.
 */
export function allowPlatform(caller: DrawbridgeFunction, access: PlatformAccess): void {
  const { settings, key, platformToken, tokenRefreshes } = access;
  const variables = {
    PLATFORM_BASE_URL: settings.platform.baseUrl,
    PLATFORM_TOKEN_SECRET_ID: platformToken.secretArn,
    TOKEN_REFRESHES_QUEUE_URL: tokenRefreshes.queueUrl,
    ...profileVariable(settings),
  } satisfies Partial<Record<keyof PlatformEnvironment, string>>;
  for (const [name, value] of Object.entries(variables)) caller.lambda.addEnvironment(name, value);
  caller.allow(['secretsmanager:GetSecretValue'], platformToken.secretArn);
  caller.allow(['sqs:SendMessage'], tokenRefreshes.queueArn);
  caller.allow(['kms:Decrypt', 'kms:GenerateDataKey'], key.keyArn);
}

/** The statuses that the profile declares, for a function that needs nothing else of the profile. */
export function statusesVariable({ platformProfile }: Pick<Settings, 'platformProfile'>): Record<string, string> {
  const { statuses = {} } = platformProfile ?? {};
  return Object.keys(statuses).length === 0 ? {} : { DECLARED_STATUSES: JSON.stringify(statuses) };
}

/** The platform profile as a variable of a function's environment; none where the defaults of the code hold. */
export function profileVariable({ platformProfile }: Pick<Settings, 'platformProfile'>): Record<string, string> {
  return platformProfile === undefined ? {} : { PLATFORM_PROFILE: JSON.stringify(platformProfile) };
}
