import type { Credentials } from './access/tokens.ts';

export type InvitationProps = {
  /** Where the platform is. */
  readonly origin: string;
  readonly tokenPath: string;
  readonly webhooksPath: string;
  readonly credentials: Credentials;
};

/** Lines to be pasted into a shell: a token, a webhook, and a notification for it. */
export function invitation({ origin, tokenPath, webhooksPath, credentials }: InvitationProps): readonly string[] {
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

/** As a shell takes it, whatever it is. */
function quote(text: string): string {
  return /^[\w:/.=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
