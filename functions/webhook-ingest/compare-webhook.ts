import type { Webhook } from '#shared/platform/webhooks.ts';

/** What every webhook of ours shall be: all the same, but for the end of the URL. */
export type WantedWebhook = {
  /** Each event type is delivered at this URL, followed by `/` and its name. */
  readonly webhooksUrl: string;
  /** The name of the header that carries the secret. */
  readonly header: string;
  readonly secret: { readonly current: string; readonly previous?: string | undefined };
};

/** What differs. Of headers, never a value: `previous secret` is the one that a rotation is about to retire. */
export type Difference = 'url' | 'header name' | 'header value' | 'previous secret' | 'other headers';

/**
 * Whether a webhook is ours: its URL is below ours, or it carries a secret that only we know, as one does after we moved
 * to another URL.
 */
export function isOurs({ webhooksUrl, secret }: WantedWebhook, { url, headers }: Webhook): boolean {
  const carriesSecret = (headers ?? []).some(({ value }) => value === secret.current || value === secret.previous);
  return carriesSecret || isBelow(webhooksUrl, url);
}

function isBelow(base: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const [ours, other] = [new URL(base), new URL(url)];
  return other.origin === ours.origin && other.pathname.startsWith(`${ours.pathname.replace(/\/$/, '')}/`);
}

/** How a webhook differs from what we want. */
export function differencesOf(wanted: WantedWebhook, webhook: Webhook): readonly Difference[] {
  const url = urlOf(wanted, webhook.eventType);
  const isThere = URL.canParse(webhook.url) && new URL(webhook.url).href === new URL(url).href;
  return [...(isThere ? [] : (['url'] as const)), ...headerDifferences(wanted, webhook.headers ?? [])];
}

/** Where an event type is delivered. */
export function urlOf({ webhooksUrl }: Pick<WantedWebhook, 'webhooksUrl'>, eventType: string): string {
  return `${webhooksUrl}/${eventType}`;
}

type Headers = readonly { readonly name: string; readonly value: string }[];

/** Names of headers are the same in any case. */
function headerDifferences({ header, secret }: WantedWebhook, headers: Headers): readonly Difference[] {
  const named = headers.find(({ name }) => name.toLowerCase() === header.toLowerCase());
  const carrier = named ?? headers.find(({ value }) => value === secret.current);
  const others: readonly Difference[] = headers.some((one) => one !== carrier) ? ['other headers'] : [];
  if (carrier === undefined) return ['header name', 'header value', ...others];
  if (named === undefined) return ['header name', ...others];
  return [...valueDifference(secret, named.value), ...others];
}

function valueDifference({ current, previous }: WantedWebhook['secret'], value: string): readonly Difference[] {
  if (value === current) return [];
  return value === previous ? ['previous secret'] : ['header value'];
}

/** Where a URL leads, and no more of it: a path or a query may hold a secret of somebody else. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'no URL';
}
