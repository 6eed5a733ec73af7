import type { Webhook } from '#shared/platform/resources/webhooks.ts';

/** By what a webhook is known to be ours. */
export type OwnWebhooks = {
  /** Each event type is delivered at this URL, followed by `/` and its name. */
  readonly webhooksUrl: string;
  /** URLs that were in its place before. */
  readonly formerWebhooksUrls?: readonly string[] | undefined;
  readonly secret: { readonly current: string; readonly previous?: string | undefined };
};

/** A webhook as it is registered, as far as this rule reads it. */
export type RegisteredWebhook = Pick<Webhook, 'url' | 'headers'>;

/**
 * Whether a webhook is ours: its URL is below ours, or it carries a secret that only we know, as one does after we moved
 * to another URL.
 */
export function isOurs({ secret, ...own }: OwnWebhooks, webhook: RegisteredWebhook): boolean {
  const carriesSecret = (webhook.headers ?? []).some(
    ({ value }) => value === secret.current || value === secret.previous,
  );
  return carriesSecret || isAtOurUrl(own, webhook);
}

/** Whether the URL of a webhook is below one of ours. */
export function isAtOurUrl(
  { webhooksUrl, formerWebhooksUrls = [] }: Omit<OwnWebhooks, 'secret'>,
  { url }: Pick<RegisteredWebhook, 'url'>,
): boolean {
  return [webhooksUrl, ...formerWebhooksUrls].some((base) => isBelow(base, url));
}

function isBelow(base: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const [ours, other] = [new URL(base), new URL(url)];
  return other.origin === ours.origin && other.pathname.startsWith(`${ours.pathname.replace(/\/$/, '')}/`);
}

/** The scheme and host of a URL, and no more of it: a path or a query may hold a secret of another system. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'no URL';
}
