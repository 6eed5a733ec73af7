import type { OwnWebhooks } from '#shared/events/own-webhook.ts';
import type { Webhook } from '#shared/platform/resources/webhooks.ts';

/** What every webhook of ours must be: all the same, except the end of the URL. */
export type WantedWebhook = OwnWebhooks & {
  /** The name of the header that carries the secret. */
  readonly header: string;
};

/** What differs. Of headers, never a value: `previous secret` is the one that a rotation is about to retire. */
export type Difference = 'url' | 'header name' | 'header value' | 'previous secret' | 'other headers';

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
