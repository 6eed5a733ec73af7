import {
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { createService, operation, type Service } from './commands.ts';

export type SecretVersion = { readonly id: string; readonly text: string; readonly createdAt: number };

export type SecretsManager = {
  readonly perform: Service;
  /**
   * The versions in the order in which each became the current one. `createdAt` is the time when it did. A version that became
   * current again is there again. @throws ResourceNotFoundException
   */
  readonly versions: (secretId: string | undefined) => readonly SecretVersion[];
  /** Moves AWSCURRENT back to an earlier version, as an operator can. */
  readonly rollBack: (secretId: string, versionId: string) => void;
  /** Replaces all versions with this one. @throws ResourceNotFoundException */
  readonly reset: (secretId: string, text: string) => void;
};

type Secret = { readonly stored: SecretVersion[]; readonly current: SecretVersion[] };

/** Of the last two current versions. */
const stages: readonly string[] = ['AWSPREVIOUS', 'AWSCURRENT'];

export type SecretsManagerDeps = { readonly now: () => number; readonly newId: () => string };

/** Secrets Manager in memory. The id of a secret is its name. */
export function createSecretsManager(
  declared: Readonly<Record<string, string>>,
  { now, newId }: SecretsManagerDeps,
): SecretsManager {
  const secrets = new Map(Object.entries(declared).map(([name, text]) => [name, createSecret(text)]));

  function createSecret(text: string): Secret {
    const first = { id: newId(), text, createdAt: now() };
    return { stored: [first], current: [first] };
  }

  function find(secretId: string | undefined): Secret {
    const found = secrets.get(secretId ?? '');
    if (found !== undefined) return found;
    throw new ResourceNotFoundException({ message: 'Secrets Manager cannot find the secret.', $metadata: {} });
  }

  function put({ stored, current }: Secret, id: string, text: string): void {
    const known = stored.find((version) => version.id === id);
    if (known !== undefined && known.text !== text)
      throw new ResourceExistsException({ message: 'A version with this token has another value.', $metadata: {} });
    if (known !== undefined) return;
    const version = { id, text, createdAt: now() };
    stored.push(version);
    current.push(version);
  }

  function move({ stored, current }: Secret, to: string | undefined, from: string | undefined): void {
    const version = stored.find(({ id }) => id === to);
    if (version === undefined || current.at(-1)?.id !== from)
      throw new InvalidParameterException({ message: 'The label is on another version.', $metadata: {} });
    if (to !== from) current.push({ ...version, createdAt: now() });
  }

  const perform = createService([
    operation(GetSecretValueCommand, ['SecretId', 'VersionId', 'VersionStage'], (input) => {
      const { SecretId, VersionId, VersionStage = 'AWSCURRENT' } = input;
      const secret = find(SecretId);
      const id = VersionId ?? secret.current.at(stages.indexOf(VersionStage) - stages.length)?.id;
      return describeVersion(secret, id);
    }),
    operation(
      PutSecretValueCommand,
      ['SecretId', 'SecretString', 'ClientRequestToken'],
      ({ SecretId, SecretString = '', ClientRequestToken = newId() }) => {
        const secret = find(SecretId);
        put(secret, ClientRequestToken, SecretString);
        return { VersionId: ClientRequestToken, VersionStages: stagesOf(secret, ClientRequestToken) };
      },
    ),
    operation(
      UpdateSecretVersionStageCommand,
      ['SecretId', 'VersionStage', 'MoveToVersionId', 'RemoveFromVersionId'],
      ({ SecretId, MoveToVersionId, RemoveFromVersionId }) => {
        move(find(SecretId), MoveToVersionId, RemoveFromVersionId);
        return {};
      },
    ),
  ]);

  return {
    perform,
    versions: (secretId) => find(secretId).current,
    rollBack: (secretId, versionId) => move(find(secretId), versionId, find(secretId).current.at(-1)?.id),
    reset: (secretId, text) => {
      find(secretId);
      secrets.set(secretId, createSecret(text));
    },
  };
}

function stagesOf({ current }: Secret, id: string): readonly string[] {
  return stages.filter((_, index) => current.at(index - stages.length)?.id === id);
}

/** What GetSecretValue answers with. @throws ResourceNotFoundException */
function describeVersion(secret: Secret, id: string | undefined): object {
  const version = secret.stored.find((one) => one.id === id);
  if (version === undefined)
    throw new ResourceNotFoundException({ message: 'The secret has no such version.', $metadata: {} });
  return {
    VersionId: version.id,
    SecretString: version.text,
    CreatedDate: new Date(version.createdAt),
    VersionStages: stagesOf(secret, version.id),
  };
}
