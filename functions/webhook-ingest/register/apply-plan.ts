import type { Log } from '#shared/lambda/log.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformError } from '#shared/platform/client/errors.ts';
import { deleteWebhook, registerWebhook } from '#shared/platform/resources/webhooks.ts';
import type { WantedWebhook } from './compare-webhook.ts';
import { isPending, type PlannedWebhook, type RegistrationPlan, webhookDataOf } from './plan-registrations.ts';

export type ApplyDeps = { readonly client: PlatformClient; readonly log: Log; readonly signal: AbortSignal };

/** Concurrent calls to the platform: a rotation is soon done, and stays far below the rate limit. */
const concurrency = 4;

/**
 * Does what is planned, each webhook for itself: one that the platform refuses holds up no other.
 *
 * @returns by event type, why a webhook could not be registered or removed
 * @throws the signal's reason; what was done until then stays done
 */
export async function applyPlan(
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
