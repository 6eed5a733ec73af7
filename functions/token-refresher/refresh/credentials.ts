import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { parseJson } from '#shared/parse-json.ts';

const text = z.string().check(z.minLength(1));

/** The credentials that the operator of the platform has issued (section 5.1). The stacks create the secret without a client id. */
const credentials = z.object({ clientId: text, clientSecret: text });

export type Credentials = z.infer<typeof credentials>;

/** The secret holds no credentials: an operator must store them. */
export class CredentialsMissingError extends DrawbridgeError {
  constructor(message: string, options?: ErrorOptions) {
    super('CredentialsMissingError', message, options);
  }
}

/** Reads the client credentials without a cache: they are needed twice an hour. @throws `CredentialsError` */
export async function readCredentials({
  secretsManager,
  secretId,
}: {
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly secretId: string;
}): Promise<Credentials> {
  const { SecretString } = await secretsManager
    .send(new GetSecretValueCommand({ SecretId: secretId }))
    .catch((cause: unknown) => {
      throw new DrawbridgeError(
        'CredentialsError',
        'Secrets Manager did not give the platform credentials: try again.',
        { cause },
      );
    });
  const result = credentials.safeParse(parseJson(SecretString ?? ''));
  if (result.success) return result.data;
  throw new CredentialsMissingError(
    'Put {"clientId": "…", "clientSecret": "…"}, as the operator of the platform has issued them, into the secret PlatformCredentials: until then there is no token.',
  );
}
