import { setTimeout as wait } from 'node:timers/promises';
import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import type { MeasureName } from '#shared/lambda/metrics.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { Host } from './aws/host.ts';
import { profileOf } from './aws/profile-control.ts';
import { SandboxError } from './errors.ts';
import type { Credentials } from './platform/access/tokens.ts';
import type { Registrations } from './platform/webhooks/registrations.ts';
import { readWebhookHeaders, webhooksUrlOf } from './webhook-headers.ts';

export type JoinPlatformProps = {
  readonly host: Host;
  readonly credentials: Credentials;
  readonly registrations: Registrations;
  /** Event types that only the platform knows. A partner would register them manually. */
  readonly newEventTypes: readonly string[];
};

/** How long a function may take for its part. */
const deadlineMs = 60_000;

/** `register` writes this metric when its run ends. */
const registrationsMetric: MeasureName = 'RegistrationsMissing';

const eventTypes = z.array(z.string());

/** The stacks create this secret with an expired token. */
const storedToken = z.object({ expiresAt: z.coerce.date() });

/**
 * Does what an operator does after the first deployment: stores the credentials for the token refresher and reports the
 * deployment, which starts `register`.
 *
 * @throws {SandboxError} NOT_JOINED if a function does not do its part in time
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
  await until(() => hasToken(host), 'The function refresh did not fetch a token.');

  host.announceDeployment();
  const wanted = registeredTypesOf(host);
  const isRegistered = () => wanted.every((eventType) => registrations.get(eventType) !== undefined);
  await until(isRegistered, 'The function register did not register every event type.');
  const hasEnded = () => host.measured.ids().some(({ name }) => name === registrationsMetric);
  await until(hasEnded, 'The function register did not end.');
  const headers = Object.entries(await readWebhookHeaders(host)).map(([name, value]) => ({ name, value }));
  for (const eventType of newEventTypes)
    registrations.register({ eventType, url: `${webhooksUrlOf(host)}/${eventType}`, headers });
}

/** What the function register registers: the setting registeredEventTypes, or all of the platform profile. */
function registeredTypesOf({ functions }: Host): readonly string[] {
  const chosen = eventTypes.safeParse(parseJson(functions.variable('REGISTERED_EVENT_TYPES') ?? ''));
  return chosen.data ?? profileOf(functions).eventTypes;
}

async function hasToken(host: Host): Promise<boolean> {
  const command = new GetSecretValueCommand({ SecretId: arnOf(host, 'platform-token') });
  const { SecretString = '{}' } = await host.clients.secretsManager.send(command);
  const { data } = storedToken.safeParse(JSON.parse(SecretString));
  return data !== undefined && data.expiresAt > new Date();
}

function arnOf({ blueprint }: Host, secret: string): string {
  const found = blueprint.secrets.find(({ name }) => name === secret);
  if (found === undefined) throw new SandboxError('NOT_JOINED', `The stacks have no secret ${secret}.`);
  return found.arn;
}

async function until(isDone: () => boolean | Promise<boolean>, failure: string): Promise<void> {
  const giveUpAt = Date.now() + deadlineMs;
  while (!(await isDone())) {
    if (Date.now() > giveUpAt) throw new SandboxError('NOT_JOINED', `${failure} Read functions.log.`);
    await wait(50);
  }
}
