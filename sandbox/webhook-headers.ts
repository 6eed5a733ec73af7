import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import type { Host } from './aws/host.ts';
import { SandboxError } from './errors.ts';

const receiveVariables = z.object({ SECRET_ID: z.string(), SECRET_HEADER: z.string() });
const webhookSecret = z.object({ current: z.string() });

/** The secret header that the platform must send with each delivery, read from the hosted stacks. */
export async function readWebhookHeaders({
  blueprint,
  clients,
}: Pick<Host, 'blueprint' | 'clients'>): Promise<Readonly<Record<string, string>>> {
  const receive = blueprint.functions.find(({ name }) => name === 'receive');
  const { SECRET_ID, SECRET_HEADER } = receiveVariables.parse(receive?.properties.Environment.Variables);
  const { SecretString = '' } = await clients.secretsManager.send(new GetSecretValueCommand({ SecretId: SECRET_ID }));
  return { [SECRET_HEADER]: webhookSecret.parse(JSON.parse(SecretString)).current };
}

const webhooksRoute = /^POST (?<path>\/webhooks\/.+)\/\{eventType\}$/;

/** The URL at which the stacks receive webhooks, to be followed by `/` and the event type. */
export function webhooksUrlOf({ blueprint, place }: Pick<Host, 'blueprint' | 'place'>): string {
  const paths = blueprint.routes.map(({ properties }) => webhooksRoute.exec(properties.RouteKey)?.groups?.['path']);
  const path = paths.find((candidate) => candidate !== undefined);
  if (path === undefined) throw new SandboxError('NOT_HOSTED', 'The stacks have no route for webhooks.');
  return `${place.apiOrigin}${path}`;
}
