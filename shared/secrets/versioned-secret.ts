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
  /** Empty if the secret holds bytes. */
  readonly text: string;
  /** When it was put there, by the clock of Secrets Manager. */
  readonly createdOn: Date;
};

export type VersionedSecret = {
  /** Reads the secret again. @throws `VersionedSecretError` when it cannot be read */
  readonly read: () => Promise<SecretVersion>;
  /**
   * Puts a text in the place of this version, once. `stored`: the text is the current one. `superseded`: another version is. The
   * same text may be put again, as after an answer that was lost.
   *
   * @throws `VersionedSecretError` when Secrets Manager may not have it
   */
  readonly replace: (versionId: string, text: string) => Promise<'stored' | 'superseded'>;
};

export type VersionedSecretDeps = {
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly secretId: string;
  readonly now: () => Date;
};

/** The label of the version that a secret has now. An operator can move it back to an earlier version. */
const currentStage = 'AWSCURRENT';

/** In milliseconds: for how long after a put, with room to spare, a read can still give what was before. */
const settleMs = 30_000;

type LabelledVersion = SecretVersion & { readonly isCurrent: boolean };

/** A secret in Secrets Manager that is only changed by who knows what it was. */
export function createVersionedSecret({ secretsManager, secretId, now }: VersionedSecretDeps): VersionedSecret {
  /** Reads the current version, unless another is named. */
  async function read(id?: string): Promise<LabelledVersion> {
    const { VersionId, SecretString, CreatedDate, VersionStages } = await secretsManager
      .send(new GetSecretValueCommand({ SecretId: secretId, ...(id !== undefined && { VersionId: id }) }))
      .catch((cause: unknown) => {
        throw new DrawbridgeError(
          'VersionedSecretError',
          `Secrets Manager did not give the secret ${secretId}: read it again.`,
          {
            cause,
          },
        );
      });
    if (VersionId === undefined || CreatedDate === undefined)
      throw new DrawbridgeError(
        'VersionedSecretError',
        `Secrets Manager named no version of the secret ${secretId}: read it again.`,
      );
    const isCurrent = VersionStages?.includes(currentStage) === true;
    return { versionId: VersionId, text: SecretString ?? '', createdOn: CreatedDate, isCurrent };
  }

  async function replace(versionId: string, text: string): Promise<'stored' | 'superseded'> {
    for (let attempt = 0; ; attempt += 1) {
      const successorId = successorOf(versionId, attempt);
      const put = await putAs(successorId, text);
      if (put === 'current') return 'stored';
      const successor = await read(successorId);
      if (successor.isCurrent) return put === 'taken' ? 'superseded' : 'stored';
      if ((await read()).versionId !== versionId) return 'superseded';
      // The label was moved back from the successor. A read so soon after the put may just not know of the put yet.
      if (now().getTime() - successor.createdOn.getTime() < settleMs)
        throw new DrawbridgeError(
          'VersionedSecretError',
          `It is not clear yet which version the secret ${secretId} has: put it again.`,
        );
    }
  }

  /** `taken`: the id has another text. `kept`: it has this text, and may not be current any more. */
  async function putAs(id: string, text: string): Promise<'current' | 'kept' | 'taken'> {
    try {
      const { VersionStages } = await secretsManager.send(
        new PutSecretValueCommand({ SecretId: secretId, SecretString: text, ClientRequestToken: id }),
      );
      return VersionStages?.includes(currentStage) === true ? 'current' : 'kept';
    } catch (cause) {
      if (cause instanceof ResourceExistsException) return 'taken';
      throw new DrawbridgeError(
        'VersionedSecretError',
        `Secrets Manager may not have taken the secret ${secretId}: put it again.`,
        {
          cause,
        },
      );
    }
  }

  return { read: () => read(), replace };
}

/**
 * The id of the version that replaces this one. Secrets Manager refuses a second, different, text under an id: of those who
 * replace a version one wins, and a retry makes no second version. There is a further attempt only after a rollback.
 */
function successorOf(versionId: string, attempt: number): string {
  const subject = attempt === 0 ? versionId : `${versionId}, attempt ${attempt}`;
  return createHash('sha256').update(`successor of ${subject}`).digest('hex');
}
