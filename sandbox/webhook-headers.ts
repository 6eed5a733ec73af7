import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import type { Host } from './aws/host.ts';

const receiveVariables = z.object({ SECRET_ID: z.string(), SECRET_HEADER: z.string() });
const webhookSecret = z.object({ current: z.string() });

/** The header, with its secret, that the platform has to send with each delivery: read from the stacks that run. */
export async function readWebhookHeaders({
  blueprint,
  clients,
}: Pick<Host, 'blueprint' | 'clients'>): Promise<Readonly<Record<string, string>>> {
  const receive = blueprint.functions.find(({ name }) => name === 'receive');
  const { SECRET_ID, SECRET_HEADER } = receiveVariables.parse(receive?.properties.Environment.Variables);
  const { SecretString = '' } = await clients.secretsManager.send(new GetSecretValueCommand({ SecretId: SECRET_ID }));
  return { [SECRET_HEADER]: webhookSecret.parse(JSON.parse(SecretString)).current };
}

const registerVariables = z.object({ WEBHOOKS_URL: z.string() });

/** Where the platform has to deliver: at this URL, followed by `/` and the event type. */
export function readWebhooksUrl({ blueprint }: Pick<Host, 'blueprint'>): string {
  const register = blueprint.functions.find(({ name }) => name === 'register');
  return registerVariables.parse(register?.properties.Environment.Variables).WEBHOOKS_URL;
}
