import { createHash } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { DrawbridgeError } from './drawbridge-error.ts';

/** What a secret is now. */
export type SecretVersion = {
  readonly versionId: string;
  readonly text: string;
  /** When it was put there, by the clock of Secrets Manager. */
  readonly createdOn: Date;
};

export type VersionedSecret = {
  /** Reads it anew. @throws {VersionedSecretError} when it cannot be read */
  readonly read: () => Promise<SecretVersion>;
  /**
   * Puts a text in the place of this version, once: `superseded` where another text has taken it. The same text may be
   * put again, as after an answer that was lost.
   *
   * @throws {VersionedSecretError} when Secrets Manager may not have it
   */
  readonly replace: (versionId: string, text: string) => Promise<'stored' | 'superseded'>;
};

export type VersionedSecretDeps = {
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly secretId: string;
};

/** Secrets Manager did not do what was asked. Carries nothing of the secret. */
export class VersionedSecretError extends DrawbridgeError {
  override readonly name = 'VersionedSecretError';
}

/** A secret in Secrets Manager that is only changed by who knows what it was. */
export function createVersionedSecret({ secretsManager, secretId }: VersionedSecretDeps): VersionedSecret {
  async function read(): Promise<SecretVersion> {
    const { VersionId, SecretString, CreatedDate } = await secretsManager
      .send(new GetSecretValueCommand({ SecretId: secretId }))
      .catch((cause: unknown) => {
        throw new VersionedSecretError('Secrets Manager did not give the secret: read it again.', { cause });
      });
    if (VersionId === undefined || SecretString === undefined || CreatedDate === undefined)
      throw new VersionedSecretError('Secrets Manager did not say all of the secret: is it text?');
    return { versionId: VersionId, text: SecretString, createdOn: CreatedDate };
  }

  async function replace(versionId: string, text: string): Promise<'stored' | 'superseded'> {
    return replaceVersion({ secretsManager, secretId }, versionId, text).catch((cause: unknown) => {
      throw new VersionedSecretError('Secrets Manager may not have taken the secret: put it again.', { cause });
    });
  }

  return { read, replace };
}

/**
 * Puts a text in the place of a version, once: what replaces a version can have one id only, and Secrets Manager refuses
 * a second, different, text under it. So of those who replace the same version one wins, and a retry makes no second
 * version.
 *
 * @throws what the SDK throws, when Secrets Manager may not have it
 */
export async function replaceVersion(
  { secretsManager, secretId }: VersionedSecretDeps,
  versionId: string,
  text: string,
): Promise<'stored' | 'superseded'> {
  const ClientRequestToken = createHash('sha256').update(`successor of ${versionId}`).digest('hex');
  try {
    await secretsManager.send(
      new PutSecretValueCommand({ SecretId: secretId, SecretString: text, ClientRequestToken }),
    );
    return 'stored';
  } catch (error) {
    if (error instanceof ResourceExistsException) return 'superseded';
    throw error;
  }
}
