import * as z from 'zod';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { type AwsService, AwsServiceError, serve } from './aws-service.ts';

type Version = {
  readonly id: string;
  readonly secretString: string;
  readonly createdOn: Date;
  stages: ReadonlySet<string>;
};
/** Of a secret, about: https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html */
const usualMaxVersions = 100;

/** In milliseconds: Secrets Manager removes a version without a stage, but none that is younger. */
const minVersionAge = 86_400_000;

type Secret = { readonly arn: string; readonly name: string; versions: Version[] };

export type SecretsManagerDeps = {
  readonly newId: () => string;
  readonly randomText: (length: number) => string;
  readonly now: () => Date;
  /** Of a secret. */
  readonly maxVersions?: number;
};

const getSecretValue = z.strictObject({
  SecretId: z.string(),
  VersionId: z.string().optional(),
  VersionStage: z.string().optional(),
});

const describeSecret = z.strictObject({ SecretId: z.string() });

const putSecretValue = z.strictObject({
  SecretId: z.string(),
  SecretString: z.string().refine((text) => Buffer.byteLength(text) <= 65_536, 'must have at most 65536 bytes'),
  ClientRequestToken: z.string().optional(),
});

const updateSecretVersionStage = z.strictObject({
  SecretId: z.string(),
  VersionStage: z.literal('AWSCURRENT'),
  MoveToVersionId: z.string(),
  RemoveFromVersionId: z.string(),
});

/** The operations of Secrets Manager that the functions use, on the secrets that the stacks declare. */
export function startSecretsManager(
  declared: Blueprint['secrets'],
  { newId, randomText, now, maxVersions = usualMaxVersions }: SecretsManagerDeps,
): AwsService {
  const newVersion = (id: string, secretString: string): Version => ({
    id,
    secretString,
    createdOn: now(),
    stages: new Set(['AWSCURRENT']),
  });
  const secrets = declared.map(
    ({ arn, physicalName, path, properties }): Secret => ({
      arn,
      name: physicalName,
      versions: [newVersion(newId(), initialValue(properties, path, randomText))],
    }),
  );

  function find(id: string): Secret {
    const secret = secrets.find(({ arn, name }) => id === arn || id === name);
    if (secret !== undefined) return secret;
    throw new AwsServiceError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }

  /** Removes the versions without a stage that are old enough, once there are too many. */
  function makeRoom(secret: Secret): void {
    if (secret.versions.length < maxVersions) return;
    const youngest = now().getTime() - minVersionAge;
    secret.versions = secret.versions.filter(
      ({ stages, createdOn }) => stages.size > 0 || createdOn.getTime() > youngest,
    );
    if (secret.versions.length >= maxVersions)
      throw new AwsServiceError('LimitExceededException', 'The secret has too many versions of the last 24 hours.');
  }

  return serve({
    DescribeSecret: (input) => {
      const { arn, name, versions } = find(describeSecret.parse(input).SecretId);
      const staged = versions.filter(({ stages }) => stages.size > 0);
      const changed = Math.max(...versions.map(({ createdOn }) => createdOn.getTime()));
      return {
        ARN: arn,
        Name: name,
        LastChangedDate: changed / 1_000,
        VersionIdsToStages: Object.fromEntries(staged.map(({ id, stages }) => [id, [...stages]])),
      };
    },
    GetSecretValue: (input) => {
      const { SecretId, VersionId, VersionStage = 'AWSCURRENT' } = getSecretValue.parse(input);
      const secret = find(SecretId);
      const version = secret.versions.find(({ id, stages }) =>
        VersionId === undefined ? stages.has(VersionStage) : id === VersionId,
      );
      if (version === undefined)
        throw new AwsServiceError('ResourceNotFoundException', "Secrets Manager can't find the specified version.");
      const { secretString, createdOn } = version;
      // Seconds since 1970, as the AWS JSON protocol has them.
      return describe(secret, version, { SecretString: secretString, CreatedDate: createdOn.getTime() / 1_000 });
    },
    PutSecretValue: (input) => {
      const { SecretId, SecretString, ClientRequestToken = newId() } = putSecretValue.parse(input);
      const secret = find(SecretId);
      const known = secret.versions.find(({ id }) => id === ClientRequestToken);
      if (known !== undefined && known.secretString !== SecretString)
        throw new AwsServiceError('ResourceExistsException', 'A version with this token and another value exists.');
      const version = known ?? newVersion(ClientRequestToken, SecretString);
      if (known === undefined) {
        makeRoom(secret);
        makeCurrent(secret, version);
        secret.versions.push(version);
      }
      return describe(secret, version, {});
    },
    UpdateSecretVersionStage: (input) => {
      const { SecretId, MoveToVersionId, RemoveFromVersionId } = updateSecretVersionStage.parse(input);
      const secret = find(SecretId);
      const [version, current] = [MoveToVersionId, RemoveFromVersionId].map((wanted) =>
        secret.versions.find(({ id }) => id === wanted),
      );
      if (version === undefined || current?.stages.has('AWSCURRENT') !== true)
        throw new AwsServiceError('InvalidParameterException', 'AWSCURRENT is not on the version to remove it from.');
      if (version !== current) makeCurrent(secret, version);
      return { ARN: secret.arn, Name: secret.name };
    },
  });
}

/** Makes it the current version, and what was current the previous. */
function makeCurrent({ versions }: Secret, version: Version): void {
  for (const other of versions) other.stages = new Set(other.stages.has('AWSCURRENT') ? ['AWSPREVIOUS'] : []);
  version.stages = new Set(['AWSCURRENT']);
}

function describe({ arn, name }: Secret, { id, stages }: Version, more: object): object {
  return { ARN: arn, Name: name, VersionId: id, VersionStages: [...stages], ...more };
}

const secretTemplate = z.record(z.string(), z.unknown());

function initialValue(
  { SecretString, GenerateSecretString: generate }: Blueprint['secrets'][number]['properties'],
  path: string,
  randomText: (length: number) => string,
): string {
  if (SecretString !== undefined) return SecretString;
  if (generate === undefined)
    throw new SandboxError('NOT_HOSTED', `The sandbox does not know the first value of the secret ${path}.`);
  const password = randomText(generate.PasswordLength);
  if (generate.GenerateStringKey === undefined) return password;
  const template = secretTemplate.parse(JSON.parse(generate.SecretStringTemplate ?? '{}'));
  return JSON.stringify({ ...template, [generate.GenerateStringKey]: password });
}
