import { createHash } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';

/** What a secret is now. */
export type SecretVersion = {
  readonly versionId: string;
  /** Empty where the secret holds bytes. */
  readonly text: string;
  /** When it was put there, by the clock of Secrets Manager. */
  readonly createdOn: Date;
};

export type VersionedSecret = {
  /** Reads the secret again. @throws {VersionedSecretError} when it cannot be read */
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
        throw new VersionedSecretError(`Secrets Manager did not give the secret ${secretId}: read it again.`, {
          cause,
        });
      });
    if (VersionId === undefined || CreatedDate === undefined)
      throw new VersionedSecretError(`Secrets Manager named no version of the secret ${secretId}: read it again.`);
    return { versionId: VersionId, text: SecretString ?? '', createdOn: CreatedDate };
  }

  async function replace(versionId: string, text: string): Promise<'stored' | 'superseded'> {
    // A version has one successor of one id, and Secrets Manager refuses a second, different, text under that id. So of
    // those who replace the same version one wins, and a retry makes no second version.
    const ClientRequestToken = createHash('sha256').update(`successor of ${versionId}`).digest('hex');
    try {
      await secretsManager.send(
        new PutSecretValueCommand({ SecretId: secretId, SecretString: text, ClientRequestToken }),
      );
      return 'stored';
    } catch (cause) {
      if (cause instanceof ResourceExistsException) return 'superseded';
      throw new VersionedSecretError(`Secrets Manager may not have taken the secret ${secretId}: put it again.`, {
        cause,
      });
    }
  }

  return { read, replace };
}
