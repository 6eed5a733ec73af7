import * as z from 'zod/mini';
import type { VersionedSecret } from './versioned-secret.ts';
import { parseWebhookSecret, webhookSecret } from './webhook-secret.ts';

/** The webhook secret as a rotation leaves it: `receive` reads the first two alone. */
const rotatedSecret = z.extend(webhookSecret, {
  /** Since when every webhook is registered with the current one. An operator may have written any value. */
  registeredOn: z.catch(z.optional(z.iso.datetime()), undefined),
});

/** What the webhook secret is to be. */
export type WebhookSecretValue = {
  readonly current: string;
  /** Accepted as well, while a rotation is under way. */
  readonly previous?: string | undefined;
  /** Since when every webhook of ours has been registered with the current one; undefined while one is not. */
  readonly registeredOn?: Date | undefined;
};

/** What it is. */
export type StoredWebhookSecret = WebhookSecretValue & {
  readonly versionId: string;
  /** When this very version was put there. */
  readonly createdOn: Date;
};

export type WebhookSecretStore = {
  /** Reads the secret again. @throws {WebhookSecretError} {VersionedSecretError} */
  readonly read: () => Promise<StoredWebhookSecret>;
  /**
   * Replaces what was read, unless another process has done so: then it changes nothing.
   *
   * @throws {VersionedSecretError} when it may not be stored
   */
  readonly replace: (
    stored: Pick<StoredWebhookSecret, 'versionId'>,
    value: WebhookSecretValue,
  ) => Promise<'stored' | 'superseded'>;
};

/** The webhook secret for who rotates it. */
export function createWebhookSecretStore(versions: VersionedSecret): WebhookSecretStore {
  async function read(): Promise<StoredWebhookSecret> {
    const { text, versionId, createdOn } = await versions.read();
    const { current, previous, registeredOn } = parseWebhookSecret(rotatedSecret, text);
    const registered = registeredOn === undefined ? undefined : new Date(registeredOn);
    return { current, previous, registeredOn: registered, versionId, createdOn };
  }

  return {
    read,
    // What is undefined, JSON leaves out.
    replace: ({ versionId }, { current, previous, registeredOn }) =>
      versions.replace(versionId, JSON.stringify({ current, previous, registeredOn } satisfies WebhookSecretValue)),
  };
}
