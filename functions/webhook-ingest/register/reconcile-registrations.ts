import type { Log } from '#shared/lambda/log.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformError } from '#shared/platform/client/errors.ts';
import {
  deleteWebhook,
  listMissingWebhooks,
  listWebhooks,
  registerWebhook,
} from '#shared/platform/resources/webhooks.ts';
import { minAgeMs, type StoredWebhookSecret } from '#shared/secrets/webhook-secret.ts';
import {
  isPending,
  type PlannedWebhook,
  type PlanOptions,
  planRegistrations,
  type RegistrationPlan,
  type WantedWebhook,
  webhookDataOf,
} from './plan-registrations.ts';

type ApplyDeps = { readonly client: PlatformClient; readonly log: Log; readonly signal: AbortSignal };

/** Concurrent calls to the platform: enough for a fast rotation, and far below the rate limit. */
const concurrency = 4;

/**
 * Carries out the plan, independently for each webhook: a refusal of one does not affect the others.
 *
 * @returns by event type, why a webhook could not be registered or removed
 * @throws the reason of the signal; earlier changes stay
 */
async function applyPlan(
  wanted: WantedWebhook,
  { webhooks }: RegistrationPlan,
  { client, log, signal }: ApplyDeps,
): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  const left = webhooks.filter(isPending).values();

  async function applyNext(): Promise<void> {
    for (const planned of left) {
      const failure = await apply(planned);
      if (failure !== undefined) failures.set(planned.eventType, failure.message);
    }
  }

  async function apply({ eventType, action }: PlannedWebhook): Promise<PlatformError | undefined> {
    try {
      if (action === 'remove') await deleteWebhook(client, eventType, { signal });
      else await registerWebhook(client, webhookDataOf(wanted, eventType), { signal });
      log.info('webhook registration changed', { eventType, reason: action });
      return undefined;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      log.warn('webhook registration failed', { eventType, reason: action, error });
      return error;
    }
  }

  await Promise.all(Array.from({ length: concurrency }, applyNext));
  return failures;
}

export type RegistrationsDeps = {
  readonly client: PlatformClient;
  /** The event types to register. */
  readonly eventTypes: readonly string[];
  readonly webhooksUrl: string;
  readonly formerWebhooksUrls?: readonly string[] | undefined;
  readonly header: string;
  readonly now: () => Date;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: Log;
};

export type RegistrationsRun = {
  readonly secret: StoredWebhookSecret;
  readonly options: PlanOptions;
  readonly signal: AbortSignal;
  /** Gets what was found before anything is changed, and gives the secret to continue with. */
  readonly beforeChange: (before: RegistrationPlan, secret: StoredWebhookSecret) => Promise<StoredWebhookSecret>;
};

/** What a check of the registrations needs. */
export type RegistrationCheck = Pick<RegistrationsRun, 'secret' | 'options' | 'signal'>;

/** The webhooks that the platform listed before the changes and after them. */
export type RegistrationResult = {
  readonly before: RegistrationPlan;
  readonly after: RegistrationPlan;
  /** The secret that the webhooks were registered with. */
  readonly secret: StoredWebhookSecret;
  /** By event type, the error of a change that the platform refused. */
  readonly failures: ReadonlyMap<string, string>;
};

/**
 * In milliseconds: how long after a new secret was stored every instance of `receive` accepts it. Twice the time that an instance
 * needs, since Secrets Manager may still return the previous secret for a moment.
 */
const settleTime = 2 * minAgeMs;

/** @throws {PlatformError} when the platform does not list its webhooks */
export async function planNow(deps: RegistrationsDeps, check: RegistrationCheck): Promise<RegistrationPlan> {
  const { secret, options, signal } = check;
  const pages = await Array.fromAsync(listWebhooks(deps.client, { signal }).pages());
  const webhooks = pages.flatMap(({ items }) => items);
  const hasUnreadable = pages.some(({ unreadable }) => unreadable !== undefined);
  const missing = await readMissing(deps, check);
  return planRegistrations({ ...deps, secret }, { webhooks, hasUnreadable, missing }, options);
}

/** Reads which types the platform knows. If it does not say, each is tried. */
async function readMissing({ client, log }: RegistrationsDeps, { signal }: RegistrationCheck) {
  try {
    return await listMissingWebhooks(client, { signal });
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.warn('missing webhooks unknown', { error });
    return undefined;
  }
}

/**
 * Corrects the webhooks on the platform, and reads them again.
 *
 * @throws {PlatformError} when the platform does not list its webhooks
 */
export async function reconcileRegistrations(
  deps: RegistrationsDeps,
  run: RegistrationsRun,
): Promise<RegistrationResult> {
  await settle(deps, run);
  const before = await planNow(deps, run);
  if (!before.webhooks.some(isPending)) return { before, after: before, secret: run.secret, failures: new Map() };
  const secret = await run.beforeChange(before, run.secret);
  const { client, log } = deps;
  const failures = await applyPlan({ ...deps, secret }, before, { client, log, signal: run.signal });
  return { before, after: await planNow(deps, { ...run, secret }), secret, failures };
}

/** No webhook is registered with a secret that an instance of `receive` may still refuse. */
async function settle({ now, wait }: RegistrationsDeps, { secret, signal }: RegistrationCheck): Promise<void> {
  if (secret.previous === undefined) return;
  const left = secret.createdOn.getTime() + settleTime - now().getTime();
  if (left > 0) await wait(left, signal);
}
