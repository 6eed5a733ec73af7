import { setTimeout as wait } from 'node:timers/promises';
import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import type { Host } from './aws/host.ts';
import type { Credentials } from './platform/access/tokens.ts';
import type { Registrations } from './platform/webhooks/registrations.ts';
import { readWebhookHeaders, webhooksUrlOf } from './webhook-headers.ts';

/** The hosted stacks have not come to terms with the platform. What the functions wrote says why. */
export class JoinError extends Error {
  override readonly name = 'JoinError';
}

export type JoinPlatformProps = {
  readonly host: Host;
  readonly credentials: Credentials;
  readonly registrations: Registrations;
  /** Of these nobody but the platform knows yet: what a partner would have registered by hand. */
  readonly newEventTypes: readonly string[];
};

/** In milliseconds: how long a function may take for its part. */
const patience = 60_000;

/** The stacks create it as a token that has expired long since. */
const storedToken = z.object({ expiresAt: z.coerce.date() });

/**
 * Does what is done after the first deployment, for the functions to do the rest: puts the credentials where the token
 * refresher reads them, and says that the stacks are deployed, which makes `register` register.
 *
 * @throws {JoinError} where a function does not do its part
 */
export async function joinPlatform({
  host,
  credentials,
  registrations,
  newEventTypes,
}: JoinPlatformProps): Promise<void> {
  const { clients } = host;
  const text = JSON.stringify(credentials);
  await clients.secretsManager.send(
    new PutSecretValueCommand({ SecretId: arnOf(host, 'platform-credentials'), SecretString: text }),
  );
  await host.schedules.all.find(({ name }) => name === 'token-refresh')?.runNow();
  await until(() => hasToken(host), 'Refresh has not fetched a token.');

  host.announceDeployment();
  const isRegistered = () => registrations.missing().every(({ eventType }) => newEventTypes.includes(eventType));
  await until(isRegistered, 'Register has not registered every event type.');
  const headers = Object.entries(await readWebhookHeaders(host)).map(([name, value]) => ({ name, value }));
  for (const eventType of newEventTypes)
    registrations.register({ eventType, url: `${webhooksUrlOf(host)}/${eventType}`, headers });
}

async function hasToken(host: Host): Promise<boolean> {
  const command = new GetSecretValueCommand({ SecretId: arnOf(host, 'platform-token') });
  const { SecretString = '{}' } = await host.clients.secretsManager.send(command);
  const { data } = storedToken.safeParse(JSON.parse(SecretString));
  return data !== undefined && data.expiresAt > new Date();
}

function arnOf({ blueprint }: Host, secret: string): string {
  const found = blueprint.secrets.find(({ name }) => name === secret);
  if (found === undefined) throw new JoinError(`The stacks have no secret ${secret}.`);
  return found.arn;
}

async function until(isDone: () => boolean | Promise<boolean>, failure: string): Promise<void> {
  const giveUpAt = Date.now() + patience;
  while (!(await isDone())) {
    if (Date.now() > giveUpAt) throw new JoinError(`${failure} Read functions.log.`);
    await wait(50);
  }
}
