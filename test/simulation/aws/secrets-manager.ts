import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
} from '@aws-sdk/client-secrets-manager';
import { createService, operation, type Service } from './commands.ts';

export type SecretVersion = { readonly id: string; readonly text: string; readonly createdAt: number };

export type SecretsManager = {
  readonly perform: Service;
  /** From the first to the current one. @throws ResourceNotFoundException */
  readonly versions: (secretId: string | undefined) => readonly SecretVersion[];
  /** Replaces all versions with this one. @throws ResourceNotFoundException */
  readonly reset: (secretId: string, text: string) => void;
};

/** Of the last two versions. */
const stages: readonly string[] = ['AWSPREVIOUS', 'AWSCURRENT'];

export type SecretsManagerDeps = { readonly now: () => number; readonly newId: () => string };

/** Secrets Manager in memory. The id of a secret is its name. */
export function createSecretsManager(
  declared: Readonly<Record<string, string>>,
  { now, newId }: SecretsManagerDeps,
): SecretsManager {
  const secrets = new Map<string, SecretVersion[]>(
    Object.entries(declared).map(([name, text]) => [name, [{ id: newId(), text, createdAt: now() }]]),
  );

  function versions(secretId: string | undefined): SecretVersion[] {
    const found = secrets.get(secretId ?? '');
    if (found !== undefined) return found;
    throw new ResourceNotFoundException({ message: 'Secrets Manager cannot find the secret.', $metadata: {} });
  }

  function put(kept: SecretVersion[], id: string, text: string): void {
    const known = kept.find((version) => version.id === id);
    if (known === undefined) kept.push({ id, text, createdAt: now() });
    else if (known.text !== text)
      throw new ResourceExistsException({ message: 'A version with this token has another value.', $metadata: {} });
  }

  const perform = createService([
    operation(GetSecretValueCommand, ['SecretId', 'VersionStage'], ({ SecretId, VersionStage = 'AWSCURRENT' }) => {
      const version = versions(SecretId).at(stages.indexOf(VersionStage) - stages.length);
      if (version === undefined)
        throw new ResourceNotFoundException({ message: 'The secret has no such version.', $metadata: {} });
      return describeVersion(version);
    }),
    operation(
      PutSecretValueCommand,
      ['SecretId', 'SecretString', 'ClientRequestToken'],
      ({ SecretId, SecretString = '', ClientRequestToken = newId() }) => {
        put(versions(SecretId), ClientRequestToken, SecretString);
        return { VersionId: ClientRequestToken };
      },
    ),
  ]);

  return {
    perform,
    versions,
    reset: (secretId, text) =>
      void versions(secretId).splice(0, Number.POSITIVE_INFINITY, { id: newId(), text, createdAt: now() }),
  };
}

/** What GetSecretValue answers with. */
export function describeVersion(version: SecretVersion | undefined): object {
  return version === undefined
    ? {}
    : { VersionId: version.id, SecretString: version.text, CreatedDate: new Date(version.createdAt) };
}
