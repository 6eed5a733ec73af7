import { Aws } from 'aws-cdk-lib';

/** To read and to write what a key encrypts. */
export const useKey = ['kms:Decrypt', 'kms:GenerateDataKey'] as const;

/** The conditions of a statement of a policy, by their operators. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** A service that uses the key with the permissions of its caller. */
type KeyUser = 'dynamodb' | 'secretsmanager' | 'sqs';

/**
 * The condition of a grant on a key: these services use it for the caller, which cannot use the key itself.
 * The end is open because regions of China have amazonaws.com.cn.
 */
export function via(...services: readonly [KeyUser, ...KeyUser[]]): Conditions {
  return { StringLike: { 'kms:ViaService': services.map((service) => `${service}.${Aws.REGION}.amazonaws.com*`) } };
}
