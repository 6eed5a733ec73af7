import { quote } from '#sandbox/terminal/quote.ts';
import type { Credentials } from './access/tokens.ts';

export type ExampleCommandsProps = {
  /** The origin of the platform. */
  readonly origin: string;
  readonly tokenPath: string;
  readonly webhooksPath: string;
  readonly credentials: Credentials;
};

/** Shell commands that get a token, register a webhook, and send a notification to it. */
export function exampleCommands({
  origin,
  tokenPath,
  webhooksPath,
  credentials,
}: ExampleCommandsProps): readonly string[] {
  const eventType = 'TRANSFER_NOTIFICATION';
  const webhook = { eventType, url: `http://localhost:3000/webhooks/${eventType}` };
  const notification = { eventType, body: '{"transferId":"1","status":"PROCESSED"}' };
  const form = Object.entries({
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  }).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);
  const accessToken = `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`;
  return [
    `TOKEN=$(curl -s ${quote(origin + tokenPath)} ${form.join(' ')} | ${accessToken})`,
    `curl ${quote(origin + webhooksPath)} -H "Authorization: Bearer $TOKEN" --json ${quote(JSON.stringify(webhook))}`,
    `curl ${quote(`${origin}/control/notifications`)} --json ${quote(JSON.stringify(notification))}`,
  ];
}
