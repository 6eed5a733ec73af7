import { isAtOurUrl, isOurs, type OwnWebhooks, type RegisteredWebhook } from '#shared/events/own-webhook.ts';

export type RecognizeOwnDeps = Omit<OwnWebhooks, 'secret'> & {
  /** Reads the webhook secret again. */
  readonly readSecret: () => Promise<OwnWebhooks['secret']>;
  readonly now: () => Date;
};

/** Whether a webhook is ours. @throws when that depends on the secret, and the secret cannot be read */
export type RecognizeOwn = (webhook: RegisteredWebhook) => Promise<boolean>;

/** In milliseconds: how long the secret is used without reading it again. */
const maxSecretAgeMs = 60_000;

/** Reads the secret only for a webhook at a URL that is not ours: most partners have no other system. */
export function createRecognizeOwn({ readSecret, now, ...urls }: RecognizeOwnDeps): RecognizeOwn {
  let cached: { readonly secret: OwnWebhooks['secret']; readonly readAt: number } | undefined;

  return async (webhook) => {
    if (isAtOurUrl(urls, webhook)) return true;
    const time = now().getTime();
    if (cached === undefined || time - cached.readAt >= maxSecretAgeMs)
      cached = { secret: await readSecret(), readAt: time };
    return isOurs({ ...urls, secret: cached.secret }, webhook);
  };
}
