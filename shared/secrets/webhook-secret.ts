import { hash, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { VersionedSecret } from './versioned-secret.ts';

/** In characters. */
const minSecretLength = 32;
const maxSecretLength = 1_024;

const secretText = z.string().check(z.minLength(minSecretLength), z.maxLength(maxSecretLength));

/** The secret that the platform sends with each delivery. During a rotation the previous one is accepted too. */
export const webhookSecret = z.object({ current: secretText, previous: z.optional(secretText) });

/** Whether a text can be a webhook secret at all: nothing else is compared with the secret. */
export function isPlausibleSecret({ length }: string): boolean {
  return length >= minSecretLength && length <= maxSecretLength;
}

/** The webhook secret in Secrets Manager is not what the stacks create, or cannot be read. Carries nothing of it. */
export class WebhookSecretError extends DrawbridgeError {
  constructor(message: string, options?: ErrorOptions) {
    super('WebhookSecretError', message, options);
  }
}

export type WebhookSecret = {
  /**
   * Whether this is the current or the previous secret, in a time that does not depend on how much of it is right.
   *
   * @throws {WebhookSecretError} when the secret cannot be read: nothing is accepted then. `onReadFailed` has the reason.
   */
  readonly matches: (candidate: string) => Promise<boolean>;
};

type WebhookSecretDeps = {
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly secretId: string;
  readonly now: () => Date;
  /** Is called when it was the previous secret that matched. */
  readonly onPrevious?: () => void;
  /** Is called once for each read that failed. */
  readonly onReadFailed?: (error: unknown) => void;
};

/** In milliseconds: how long a secret is used without reading it again. A retired one is accepted no longer than this. */
export const maxAgeMs = 5 * 60_000;

/** In milliseconds: the same while Secrets Manager fails, so that an outage shorter than this refuses no delivery. */
const maxAgeInOutageMs = 60 * 60_000;

/**
 * In milliseconds: what does not match is compared again with a secret read no longer ago than this, since it may be
 * the new one of a rotation. A failed read is not repeated sooner either. Longer than nothing, or every wrong guess
 * would cost a call. A new secret is accepted everywhere this long after it was put there.
 */
export const minAgeMs = 5_000;

/** The digest of the current secret, then that of the previous one. */
type Accepted = { readonly digests: readonly Uint8Array[]; readonly readAt: number };

export function createWebhookSecret(deps: WebhookSecretDeps): WebhookSecret {
  const { secretsManager, secretId, now, onPrevious = () => undefined, onReadFailed = () => undefined } = deps;
  let cached: Accepted | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** When the newest read to which Secrets Manager has answered began. */
  let answeredAt = Number.NEGATIVE_INFINITY;
  let latest: { readonly reading: Promise<Accepted>; readonly beganAt: number } | undefined;

  async function matches(candidate: string): Promise<boolean> {
    const candidateDigest = digest(candidate);
    const askedAt = now().getTime();
    const before = await accepted(maxAgeMs).catch(cachedInOutage);
    if (matchesAny(before, candidateDigest)) return true;
    if (before.readAt >= askedAt) return false;
    const after = await accepted(minAgeMs);
    return after !== before && matchesAny(after, candidateDigest);
  }

  async function accepted(ageMs: number): Promise<Accepted> {
    if (cached !== undefined && !hasPassed(cached.readAt, ageMs)) return cached;
    // Each call takes seconds while Secrets Manager fails.
    if (!hasPassed(failedAt, minAgeMs))
      throw new WebhookSecretError(
        'The webhook secret could not be read within the last seconds: send the webhook again.',
      );
    // Lambda freezes a process, and a read with it: what the answer says may be old by then.
    if (latest === undefined || hasPassed(latest.beganAt, minAgeMs)) {
      const beganAt = now().getTime();
      latest = { reading: read(beganAt), beganAt };
    }
    return latest.reading;
  }

  /** @throws the error, if no secret was read within the last hour */
  function cachedInOutage(error: unknown): Accepted {
    if (cached !== undefined && !hasPassed(cached.readAt, maxAgeInOutageMs)) return cached;
    throw error;
  }

  async function read(readAt: number): Promise<Accepted> {
    const answer = await secretsManager.send(new GetSecretValueCommand({ SecretId: secretId })).then(
      ({ SecretString }) => ({ SecretString }),
      (error: unknown) => ({ error }),
    );
    // A process that was frozen gets the answer of this read after the answer of a newer read.
    if (readAt < answeredAt) return accepted(maxAgeMs);
    try {
      if ('error' in answer) throw answer.error;
      answeredAt = readAt;
      // Secrets Manager has answered: what was cached is out of date, even when the answer is not a secret.
      cached = undefined;
      const { current, previous } = parseWebhookSecret(webhookSecret, answer.SecretString);
      cached = { digests: [current, previous].filter((word) => word !== undefined).map(digest), readAt };
      return cached;
    } catch (cause) {
      failedAt = now().getTime();
      onReadFailed(cause);
      throw new WebhookSecretError('The webhook secret could not be read: send the webhook again.', { cause });
    }
  }

  function hasPassed(time: number, durationMs: number): boolean {
    return now().getTime() - time >= durationMs;
  }

  /** Compares with each, also after a match, so that the time reveals nothing. */
  function matchesAny({ digests }: Accepted, candidate: Uint8Array): boolean {
    const index = digests.map((known) => timingSafeEqual(known, candidate)).indexOf(true);
    if (index > 0) onPrevious();
    return index >= 0;
  }

  return { matches };
}

/** @throws {WebhookSecretError} when the text is not JSON of this schema */
function parseWebhookSecret<Schema extends z.ZodMiniType>(schema: Schema, text: string | undefined): z.output<Schema> {
  const result = z.safeParse(schema, parseJson(text ?? ''));
  if (result.success) return result.data;
  throw new WebhookSecretError(
    'The webhook secret must be JSON, {"current": "…", "previous": "…"}, each of 32 to 1,024 characters. Correct it in Secrets Manager.',
  );
}

/** Digests have one length for all words: `timingSafeEqual` throws on lengths that differ. */
function digest(word: string): Uint8Array {
  return hash('sha256', word, 'buffer');
}

/** The webhook secret as a rotation leaves it: `receive` reads only the first two. */
const rotatedSecret = z.extend(webhookSecret, {
  /** Since when every webhook is registered with the current one. An operator may have written any value. */
  registeredOn: z.catch(z.optional(z.iso.datetime()), undefined),
});

/** What the webhook secret is to be. */
export type WebhookSecretValue = {
  readonly current: string;
  /** Accepted as well, while a rotation is under way. */
  readonly previous?: string | undefined;
  /** Since when each of our webhooks has been registered with the current one; undefined while one is not. */
  readonly registeredOn?: Date | undefined;
};

/** What it is. */
export type StoredWebhookSecret = WebhookSecretValue & {
  readonly versionId: string;
  /** When this very version was put there. */
  readonly createdOn: Date;
};

export type WebhookSecretStore = {
  /** Reads the secret again. @throws {WebhookSecretError} `VersionedSecretError` */
  readonly read: () => Promise<StoredWebhookSecret>;
  /**
   * Replaces what was read, unless another process has done so: then it changes nothing.
   *
   * @throws `VersionedSecretError` when it may not be stored
   */
  readonly replace: (
    stored: Pick<StoredWebhookSecret, 'versionId'>,
    value: WebhookSecretValue,
  ) => Promise<'stored' | 'superseded'>;
};

/** The webhook secret for the functions that rotate it. */
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
